import { httpPortUsual } from '../../model/limits.ts'
import { usage } from '../command.ts'

/** Parses a TCP port, the value of a flag. @throws HookgateError `usage` */
export function portOf(command: string, flag: string, text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port
  throw usage(`--${flag} must be a port from 1 to 65535, not \`${text}\``, command)
}

/**
 * Extracts `--http`, `--http PORT` or `--http=PORT` from the arguments: Node's parser has no flags with an optional
 * value.
 *
 * @throws HookgateError `usage`
 */
export function httpFlag(command: string, argv: readonly string[]): { httpPort: number | undefined; rest: string[] } {
  const rest: string[] = []
  let httpPort: number | undefined
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    const next = argv[at + 1]
    if (word === '--http' && (next === undefined || next.startsWith('-'))) httpPort = httpPortUsual
    else if (word === '--http') {
      httpPort = portOf(command, 'http', next ?? '')
      at += 1
    } else if (word.startsWith('--http=')) httpPort = portOf(command, 'http', word.slice('--http='.length))
    else rest.push(word)
  }
  return { httpPort, rest }
}
