import { httpPortUsual } from '../model/limits.ts'
import { usage } from './flags.ts'
import { portIn } from './port.ts'

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
      httpPort = httpPortIn(command, next ?? '')
      at += 1
    } else if (word.startsWith('--http=')) httpPort = httpPortIn(command, word.slice('--http='.length))
    else rest.push(word)
  }
  return { httpPort, rest }
}

function httpPortIn(command: string, text: string): number {
  const port = portIn(text)
  if (port !== undefined) return port
  throw usage(`--http must be a port from 1 to 65535, not \`${text}\``, command)
}
