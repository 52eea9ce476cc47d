"""No two random draws stand where a compiler chooses which comes first: arguments of one call, operands of one operator.

C++ evaluates the pieces of a braced list, of a declaration with commas, of ?:, && and || and of << in the order in which
they are written, and a call after its arguments; nothing else in an expression."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted(path for folder in ("lib", "repro", "ci") for kind in ("*.cpp", "*.h")
                 for path in (ROOT / folder).rglob(kind) if "Random" in path.read_text(encoding="utf-8"))
DRAWS = {"uniform", "below", "direction", "in_cube", "bits"}  # of core/random.h
TOKEN = re.compile(r"[A-Za-z_]\w*|[0-9][\w.']*|->|::|<<|>>|&&|\|\||[<>=!+\-*/%&|^]=|\S")
SKIPPED = re.compile(r'//[^\n]*|/\*.*?\*/|^\s*#[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'', re.S | re.M)
SEQUENCED = {"&&", "||", "?", ":", "<<", ">>", "=", "return"}
CHAINED = {".", "->", "::"}
CLOSING = {"(": ")", "[": "]", "{": "}"}


class Reader:
    """Finds the lines with such draws in one source."""

    def __init__(self, text):
        text = SKIPPED.sub(lambda m: '0' + "\n" * m.group().count("\n") if m.group()[0] in "\"'" else
                           re.sub(r"[^\n]", " ", m.group()), text)
        self.tokens = [(m.group(), text.count("\n", 0, m.start()) + 1) for m in TOKEN.finditer(text)]
        self.generators = set(re.findall(r"\bRandom\s*&?\s+(\w+)", text)) | {"random"}
        # What draws when it is called: lambdas that mention a generator or another of them.
        bodies = [(m.group(1), self.body(text, m.end())) for m in re.finditer(r"(\w+) = \[[^\]]*\]", text)]
        self.lambdas = set()
        for _ in bodies:
            self.lambdas |= {name for name, body in bodies
                             if any(re.search(rf"\b{word}\b", body) for word in self.generators | self.lambdas)}
        self.lines = set()
        self.at = 0
        self.pieces("", ";,")

    @staticmethod
    def body(text, start):
        depth, begin = 0, text.find("{", start)
        for i in range(begin, len(text)):
            depth += {"{": 1, "}": -1}.get(text[i], 0)
            if depth == 0:
                return text[begin:i]
        return ""

    def group(self, opening):
        """The number of draws in a group, the token after its opening being next; whether a generator is passed on."""
        start = self.at
        if opening == "{":
            draws = self.pieces("}", ";,")
            block = ";" in self.top_level(start)
            return (0 if block else sum(draws)), False
        draws = self.pieces(CLOSING[opening], ",;")
        words = [token for token, _ in self.tokens[start:self.at - 1]]
        arguments = " ".join(words).split(" , ")
        if sum(1 for n in draws if n) > 1 and ";" not in words:
            self.lines.add(self.tokens[start][1])
        return sum(draws), any(argument in self.generators for argument in arguments)

    def top_level(self, start):
        depth, found = 0, []
        for token, _ in self.tokens[start:self.at - 1]:
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(token, 0)
            if depth == 0:
                found.append(token)
        return found

    def pieces(self, closing, separators):
        """The numbers of draws in the pieces between separators, up to the closing bracket."""
        counts, segment, primary, before, line = [0], 0, 0, "", 0

        def end_primary():
            nonlocal segment, primary
            if primary and segment:
                self.lines.add(line)
            segment += primary
            counts[-1] += primary
            primary = 0

        while self.at < len(self.tokens):
            token, line = self.tokens[self.at]
            self.at += 1
            if token == closing:
                break
            if token in CLOSING:
                name, dot = before, self.tokens[self.at - 3][0] if self.at >= 3 else ""
                method = dot in CHAINED and name in DRAWS and self.at_generator
                draws, passes = self.group(token)
                if token == "(":
                    draws += 1 if method or passes or name in self.lambdas else 0
                if token == "{" and before in (")", "]", "else", "do", "const", "mutable"):
                    draws = 0
                    end_primary()
                    segment = 0
                primary += draws
                before = CLOSING[token]
                continue
            if token in separators:
                end_primary()
                segment = 0
                counts.append(0)
            elif token in SEQUENCED:
                end_primary()
                segment = 0
            elif token in CHAINED or re.match(r"\w", token):
                if token in self.generators:
                    self.at_generator = True
                elif token not in DRAWS and token not in CHAINED:
                    self.at_generator = False
                    if re.match(r"\w", before):  # a type and a name
                        end_primary()
            else:
                end_primary()
            before = token
        end_primary()
        return counts

    at_generator = False


def lines_of(text):
    return sorted(Reader(text).lines)


@pytest.mark.parametrize("text", [
    "f(random.uniform(), random.uniform());",
    "x = random.uniform() + random.below(2);",
    "const Vec3d v(random.uniform(-1, 1), 0, random.uniform(-1, 1));",
    "x = f(random) * g(1, random);",
    "const auto draw = [&] { return random.uniform(); }; f(draw(), draw());",
    "const auto one = [&] { return random.uniform(); }; const auto two = [&] { return one(); }; x = two() - one();",
    "f(Vec2d{random.uniform(), 0}, random.uniform());",
    "for (int i = 0; i < 3; ++i) f(a(random), b(random));",
    "if (g) { f(random.direction() * random.uniform()); }",
    "Random seeds(1); f(seeds.bits(), seeds.bits());",
    "EXPECT_EQ(f(random), g(random));",
])
def test_two_draws_without_an_order_are_found(text):
    assert lines_of(text)


@pytest.mark.parametrize("text", [
    "const double x = random.uniform(), y = random.uniform();",
    "const Vec3d v{random.uniform(-1, 1), 0, random.uniform(-1, 1)};",
    "f({random.uniform(), random.uniform()});",
    "random.in_cube(random.uniform());",
    "f(random, random.uniform());",
    "x = random.below(2) == 0 ? random.uniform() : random.uniform(1, 2);",
    "f([&] { a(random.uniform()); b(random.uniform()); });",
    "for (double& x : w) sum += x = random.uniform();",
    "if (random.below(2) == 0) x = random.uniform(); else y = random.uniform();",
    "other.uniform() + other.uniform();",
    'f("random.uniform()", random.uniform());  // random.uniform()',
])
def test_draws_with_an_order_are_not(text):
    assert not lines_of(text)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_draws_have_an_order(source):
    assert lines_of(source.read_text(encoding="utf-8")) == []
