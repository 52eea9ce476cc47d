// The findings of check, folded by kind: how many, the first three, and how many more.
const FIRST = 3;
const MOST_KINDS = 200;

function text(tag, content) {
  const element = document.createElement(tag);
  element.textContent = content;
  return element;
}

// What one finding says of where it is.
function place({part, index, name, size, unit, detail}) {
  const worst = unit ? ` (${Number(size.toPrecision(3))} ${unit})` : '';
  return [index >= 0 ? `${part} ${index}${name ? ` “${name}”` : ''}${worst}` : name, detail].filter(Boolean).join(': ');
}

// show(vertex): marks it in the picture; null where there is none.
export function folded(findings, show) {
  const kinds = new Map();
  for (const finding of findings) {
    if (!kinds.has(finding.kind)) kinds.set(finding.kind, []);
    kinds.get(finding.kind).push(finding);
  }
  const all = [...kinds.values()].slice(0, MOST_KINDS).map((group) => {
    const [first] = group, details = document.createElement('details'), summary = document.createElement('summary');
    const count = group.reduce((sum, finding) => sum + finding.count, 0), severity = text('span', first.severity);
    severity.className = first.severity;
    summary.append(severity, ` ${count === 1 ? '' : `${count} × `}${first.part}: ${first.says}`);
    const list = document.createElement('ul');
    for (const finding of group.slice(0, FIRST)) {
      const where = place(finding);
      if (!where) continue;
      const item = text('li', group.length === 1 && finding.count > 1 && finding.index >= 0 ? `worst: ${where}` : where);
      if (finding.part === 'vertex' && finding.index >= 0 && show) {
        const button = text('button', 'Show this vertex');
        button.type = 'button';
        button.addEventListener('click', () => show(finding.index));
        item.append(' ', button);
      }
      list.append(item);
    }
    if (group.length > FIRST) list.append(text('li', `and ${group.length - FIRST} more`));
    details.append(summary, list, text('p', first.advice));
    return details;
  });
  if (kinds.size > MOST_KINDS) all.push(text('p', `and ${kinds.size - MOST_KINDS} kinds more`));
  return all;
}
