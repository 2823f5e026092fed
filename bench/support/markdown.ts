type Cell = string | number

/** Formats a Markdown table; the first column is text, the others numbers. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
  return lines.map((cells) => `| ${cells.map(text).join(' | ')} |`).join('\n')
}

const text = (cell: Cell) => (typeof cell === 'string' ? cell : significant(cell))

/** Formats a number with three digits, the precision of these benches. */
export function significant(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  return Number(value.toPrecision(3)).toLocaleString('en', {
    minimumFractionDigits: Math.min(digits, 2),
    maximumFractionDigits: Math.min(digits, 2),
  })
}

/** Formats a goal and whether it is met, in one line. */
export const goal = (what: string, met: boolean, figure: string) => `- ${met ? 'met' : 'missed'}: ${what}: ${figure}`
