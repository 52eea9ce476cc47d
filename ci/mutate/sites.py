"""Where a fault can be planted: expressions of C++ files (by libclang) and of Python files (by ast)."""
import ast
import dataclasses
import functools
import itertools
import os
import re


@dataclasses.dataclass(frozen=True)
class Site:
    """A change of the text between two offsets (bytes) of a file."""

    file: str  # relative to the tree
    begin: int
    end: int
    operator: str
    before: str
    after: str
    line: int
    constant: bool = False  # the initial value of a named constant, which must become an ordinary one
    computable: bool = False  # in a constexpr function

    def key(self):
        return (self.file, self.begin, self.end, self.after)


SWAPPED = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
MOVED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "!=", "!=": "=="}
LOGIC = {"&&": "||", "||": "&&"}
OPPOSITE_CALL = {"min": "max", "max": "min", "sin": "cos", "cos": "sin", "begin": "end", "floor": "ceil", "ceil": "floor",
                 "upper_bound": "lower_bound", "lower_bound": "upper_bound"}
IDENTITY_CALLS = ("radians", "degrees", "normalize", "abs", "fabs", "sqrt")
ONE_PER_CENT = "1.01"


def of_binary(operator, left, right):
    """(kind of fault, text) of an expression `left operator right`."""
    if operator in SWAPPED:
        yield "sign" if operator[0] in "+-" else "operation", f"{left} {SWAPPED[operator]} {right}"
    if operator in ("+", "-", "*", "/"):
        yield "term dropped", left
    if operator in ("+", "*"):
        yield "term dropped", right
    if operator in ("-", "/"):
        yield "operands swapped", f"{right} {operator} {left}"
    if operator in ("+=", "-="):
        yield "term dropped", left
    if operator in MOVED:
        yield "comparison moved", f"{left} {MOVED[operator]} {right}"
    if operator in TURNED:
        yield "comparison turned", f"{left} {TURNED[operator]} {right}"
    if operator in LOGIC:
        yield "logic", f"{left} {LOGIC[operator]} {right}"
        yield "term dropped", left


def of_number(text):
    """A number a little different."""
    if re.fullmatch(r"\d+", text):
        yield "constant", str(int(text) + 1)
    elif float(text.rstrip("fF")) == 0:
        yield "constant", "0.01"
    else:
        yield "constant", f"({text} * {ONE_PER_CENT})"


# ---- C++


def clang_index():
    import clang.cindex as clang

    return clang, clang.Index.create()


# Of options that GCC has and libclang has not.
UNKNOWN_OPTIONS = ("--param", "-fno-gnu", "-fpch", "-Wno-restrict")


def cpp_sites(unit, options, wanted, tree, seen=None):
    """The sites of all files of `wanted` (relative names) that the translation unit includes; their names are added to
    `seen`."""
    clang, index = clang_index()
    kept = [o for o in options if not o.startswith(UNKNOWN_OPTIONS)]
    parsed = index.parse(unit, args=kept)
    texts = {}
    found = {}

    def text_of(name):
        if name not in texts:
            with open(os.path.join(tree, name), "rb") as file:
                texts[name] = file.read()
        return texts[name]

    @functools.cache
    def in_tree(name):
        return os.path.relpath(os.path.realpath(name), os.path.realpath(tree))

    if seen is not None:
        seen.update({in_tree(unit), *(in_tree(include.include.name) for include in parsed.get_includes())} & set(wanted))

    def relative(cursor):
        """Of what is not wanted None; of what stands in another library a name that begins with dots."""
        file = cursor.location.file
        name = in_tree(file.name) if file else None
        return name if name and (name in wanted or name.startswith("..")) else None

    kinds = clang.CursorKind

    def span(cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def add(name, cursor, faults, constant=False, at=None):
        begin, end = at or span(cursor)
        text = text_of(name)
        before = text[begin:end].decode()
        if not before.strip() or "#" in before or len(before) > 300:
            return
        for operator, after in faults:
            if after.split() == before.split():
                continue
            site = Site(name, begin, end, operator, before, after, cursor.location.line, constant, bool(computable))
            found[site.key()] = site

    def source(name, cursor):
        begin, end = span(cursor)
        return text_of(name)[begin:end].decode()

    def binary(name, cursor, left, right):
        begin, _ = span(left)
        operator = text_of(name)[span(left)[1]:span(right)[0]].decode().strip()
        if span(cursor)[0] == begin and span(right)[1] == span(cursor)[1]:
            add(name, cursor, of_binary(operator, source(name, left), source(name, right)))

    functions = (kinds.FUNCTION_DECL, kinds.FUNCTION_TEMPLATE, kinds.CXX_METHOD, kinds.CONSTRUCTOR)
    computable = []  # the constexpr functions around

    def is_chosen_by_compiler(cursor):
        return cursor.kind == kinds.IF_STMT and [token.spelling for token in itertools.islice(cursor.get_tokens(), 2)] == [
            "if", "constexpr"]

    def visit(cursor, computed):
        """computed: the compiler needs the value, so that a fault would not be seen or would not compile."""
        try:
            cursor.kind
        except ValueError:  # of a kind that this libclang has and its Python has not
            return
        name = relative(cursor) if cursor.kind != kinds.TRANSLATION_UNIT else ""
        if cursor.kind != kinds.TRANSLATION_UNIT and name is None and cursor.kind not in (
                kinds.NAMESPACE, kinds.STRUCT_DECL, kinds.CLASS_TEMPLATE, kinds.CLASS_DECL, kinds.LINKAGE_SPEC):
            return
        if name and name.startswith(".."):
            return
        children = list(cursor.get_children())
        kind = cursor.kind
        if name and kind == kinds.VAR_DECL:
            declaration = source(name, cursor)
            if re.search(r"\bconst(expr|init)\b", declaration.split("=")[0].split("{")[0]):
                literal = re.fullmatch(r"(.*\bconstexpr (?:double|float|auto) \w+ = )([\d.e+-]+)", declaration, re.S)
                if literal and re.search(r"[.e]", literal[2]):
                    begin, _ = span(cursor)
                    at = len(literal[1].encode())
                    add(name, cursor, of_number(literal[2]), True, (begin + at, begin + len(declaration.encode())))
                return
        if kind in (kinds.TEMPLATE_TYPE_PARAMETER, kinds.TEMPLATE_NON_TYPE_PARAMETER, kinds.ENUM_DECL, kinds.STATIC_ASSERT,
                    kinds.FIELD_DECL, kinds.TYPEDEF_DECL, kinds.TYPE_ALIAS_DECL, kinds.CONCEPT_DECL
                    if hasattr(kinds, "CONCEPT_DECL") else kinds.STATIC_ASSERT):
            return
        if name and not computed:
            if kind in (kinds.BINARY_OPERATOR, kinds.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
                binary(name, cursor, *children)
            elif kind == kinds.CALL_EXPR:
                arguments = list(cursor.get_arguments())
                called = cursor.spelling
                if called.startswith("operator") and len(arguments) == 2:
                    binary(name, cursor, *arguments)
                elif called in OPPOSITE_CALL and called in source(name, cursor):
                    text = source(name, cursor)
                    add(name, cursor, [("opposite call", text.replace(called, OPPOSITE_CALL[called], 1))])
                elif called in IDENTITY_CALLS and len(arguments) == 1:
                    add(name, cursor, [("step left out", source(name, arguments[0]))])
            elif kind == kinds.UNARY_OPERATOR and len(children) == 1:
                text = source(name, cursor)
                if text.startswith("-") and not text.startswith("--"):
                    add(name, cursor, [("sign", source(name, children[0]))])
                elif text.startswith("!"):
                    add(name, cursor, [("logic", source(name, children[0]))])
            elif kind in (kinds.FLOATING_LITERAL, kinds.INTEGER_LITERAL):
                text = source(name, cursor)
                if re.fullmatch(r"[\d.]+(e[+-]?\d+)?f?|\d+", text):
                    add(name, cursor, of_number(text))
            elif kind == kinds.CXX_BOOL_LITERAL_EXPR:
                text = source(name, cursor)
                add(name, cursor, [("flag", {"true": "false", "false": "true"}.get(text, text))])
        is_computable = name and kind in functions and re.search(r"\bconst(expr|eval)\b", source(name, cursor).split("{")[0])
        if is_computable:
            computable.append(cursor)
        inner = computed or kind in (kinds.CASE_STMT, kinds.TYPE_REF, kinds.CXX_BASE_SPECIFIER) or is_chosen_by_compiler(cursor)
        for i, child in enumerate(children):
            # The label of a case, the condition of an `if constexpr` and the size of an array, but not the statement and the
            # value.
            statement = i > 0 and (kind == kinds.CASE_STMT or kind == kinds.IF_STMT and not computed)
            visit(child, False if statement else inner)
        if is_computable:
            computable.pop()

    visit(parsed.cursor, False)
    return list(found.values())


# ---- Python


def other_names(tree):
    """(node, text of another one) of names and words that stand where others of their kind could: a column for a column, a
    colour for a colour, the label of one row of a list for that of another."""
    palette = [alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "palette"
               for alias in node.names]
    groups = {}

    def word(role, node):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) or isinstance(node, ast.Name) and node.id in palette:
            groups.setdefault((type(node), role), []).append(node)

    def rows(node, role):
        """Lists of rows: what stands at one place of each is of one kind."""
        for i, item in enumerate(node.elts):
            place = (*role, i if isinstance(node, ast.Tuple) else None)
            if isinstance(item, ast.Tuple | ast.List):
                rows(item, place)
            else:
                word(place, item)

    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple | ast.List):
            rows(ast.List(node.value.elts), (ast.unparse(node.targets[0]),))
        elif isinstance(node, ast.For) and isinstance(node.iter, ast.Tuple | ast.List):
            rows(ast.List(node.iter.elts), (node.lineno,))
        elif isinstance(node, ast.Subscript):
            word("key", node.slice)
        elif isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called.endswith("Error"):
                continue
            for i, argument in enumerate(node.args):
                word((called, i), argument)
            for keyword in node.keywords:
                word(keyword.arg, keyword.value)
    for nodes in groups.values():
        texts = list(dict.fromkeys(ast.unparse(node) for node in nodes))
        for node in nodes if len(texts) > 1 or isinstance(nodes[0], ast.Name) else []:
            text = ast.unparse(node)
            others = texts if len(texts) > 1 else palette
            if len(others) > 1:
                yield node, others[(others.index(text) + 1) % len(others)]


def python_sites(name, text):
    """The sites of a Python file."""
    lines = text.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    symbols = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">",
               ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
    data = text.encode()
    found = []

    def span(node):
        return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset

    def source(node):
        begin, end = span(node)
        return data[begin:end].decode()

    def add(node, faults):
        begin, end = span(node)
        for operator, after in faults:
            if after != source(node):
                found.append(Site(name, begin, end, operator, source(node), f"({after})", node.lineno))

    tree = ast.parse(text)
    for node, other in other_names(tree):
        add(node, [("other name", other)])
    skipped = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):  # offsets within f-strings are not to be relied on
            skipped.update(id(child) for child in ast.walk(node))
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.BinOp) and type(node.op) in symbols and not isinstance(node.left, ast.Constant | ast.JoinedStr):
            add(node, of_binary(symbols[type(node.op)], source(node.left), source(node.right)))
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in symbols:
            add(node, of_binary(symbols[type(node.ops[0])], source(node.left), source(node.comparators[0])))
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float) and re.fullmatch(r"[\d.]+", source(node)):
            add(node, of_number(source(node)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            add(node, [("flag", str(not node.value))])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
            add(node, [("opposite call", source(node).replace(node.func.id, OPPOSITE_CALL[node.func.id], 1))])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("sorted", "reversed", "abs"):
            if len(node.args) == 1 and not node.keywords:
                add(node, [("step left out", f"list({source(node.args[0])})" if node.func.id != "abs"
                            else source(node.args[0]))])
    return found
