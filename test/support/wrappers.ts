import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** A way to run a command line: `wrap` has one placeholder for it. */
const Launcher = z.strictObject({
  id: z.string(),
  family: z.string(),
  wrap: z.string(),
  /** What it takes beside a usual system. */
  needs: z.string().optional(),
  /** No shell sees the words, so that `~` stays what it is. */
  noshell: z.literal(true).optional(),
})

const Danger = z.strictObject({
  id: z.string(),
  cmd: z.string(),
  /** One command of plain words, which takes no shell. */
  simple: z.literal(true).optional(),
  /** Has a `~` that a shell expands. */
  tilde: z.literal(true).optional(),
})

/** A dangerous command behind a launcher. */
export interface WrappedDanger {
  readonly launcher: string
  readonly family: string
  readonly danger: string
  readonly command: string
}

/** Puts every danger behind every launcher that can run it. */
export const wrappedDangers = (): readonly WrappedDanger[] => wrapped(rowsOf('dangers', Danger))

/** Puts commands behind every launcher of a file that can run them. */
export function wrapped(dangers: readonly z.infer<typeof Danger>[], file = 'launchers'): readonly WrappedDanger[] {
  return rowsOf(file, Launcher).flatMap((launcher) =>
    dangers
      .filter((danger) => fits(launcher, danger))
      .map(({ id, cmd }) => ({
        launcher: launcher.id,
        family: launcher.family,
        danger: id,
        command: launcher.wrap.replace(placeholder, (_, form: string) => written(form, cmd)),
      })),
  )
}

const placeholder = /\{(argv|line|sq|dq|b64)\}/

const fits = ({ wrap, noshell }: z.infer<typeof Launcher>, { simple, tilde }: z.infer<typeof Danger>) =>
  (simple === true || !wrap.includes('{argv}')) && (tilde === undefined || noshell === undefined)

function written(form: string, command: string): string {
  switch (form) {
    case 'sq':
      return `'${command.replaceAll("'", String.raw`'\''`)}'`
    case 'dq':
      return `"${command.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`
    case 'b64':
      return Buffer.from(command).toString('base64')
    default:
      return command
  }
}

const rowsOf = <Row extends z.ZodType>(name: string, schema: Row): readonly z.output<Row>[] =>
  linesOf(`${name}.jsonl`).map((line) => schema.parse(JSON.parse(line)))

const linesOf = (name: string): readonly string[] =>
  readFileSync(new URL(`../fixtures/wrappers/${name}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
