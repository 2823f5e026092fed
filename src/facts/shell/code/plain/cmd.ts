import type { Found } from '../found.ts'
import type { CodeSurroundings } from '../recognised.ts'
import { text } from '../value.ts'

const words = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map((found) => found[1] ?? found[2] ?? found[0])

/** A path of this machine that is written as Windows would: one with a drive is left as it is. */
const slashed = (path: string): string => (/^\\[^\\]/.test(path) ? path.replaceAll('\\', '/') : path)

/** The interpreter of Windows: a few of its own commands, and programs. */
export function recogniseCmd(source: string, found: Found, around: CodeSurroundings): void {
  for (const line of source.split(/\n|&&?|\|\|?/)) {
    for (const redirection of line.matchAll(/>{1,2}\s*(?:"([^"]+)"|([^\s"&|<>]+))/g)) {
      const file = redirection[1] ?? redirection[2] ?? ''
      if (!/^(?:nul|con|&\d)$/i.test(file)) found.path(text(slashed(file)), 'write')
    }
    const [name = '', ...rest] = words(
      line
        .replaceAll(/\d?>{1,2}\s*(?:"[^"]+"|&?[^\s"&|<>]+)/g, '')
        .replaceAll(/%(?:USERPROFILE|HOME)%/gi, () => around.home ?? '%HOME%')
        .trim()
        .replace(/^@/, ''),
    )
    const paths = rest.filter((one) => !/^\/[a-z?]+(?::\S+)?$/i.test(one)).map((one) => text(slashed(one)))
    const recursive = rest.some((one) => /^\/s$/i.test(one))
    switch (name.toLowerCase()) {
      case '':
      case 'rem':
      case 'echo':
      case 'set':
        break
      case 'del':
      case 'erase':
      case 'rd':
      case 'rmdir':
        for (const path of paths) found.path(path, 'delete', { recursive })
        break
      case 'move':
      case 'ren':
      case 'rename':
        found.path(paths[0], 'delete')
        found.path(paths[1], 'write')
        break
      case 'copy':
      case 'xcopy':
        found.path(paths[0], 'read')
        found.path(paths[1], 'write')
        break
      case 'type':
        for (const path of paths) found.path(path, 'read')
        break
      case 'attrib':
      case 'icacls':
      case 'takeown':
        for (const path of paths.slice(-1)) found.path(path, 'write', { metadata: true })
        break
      default:
        // It looks for programs in its own folder first.
        found.words(
          [/^[\w-]+\.(?:bat|cmd|exe|com|vbs|ps1)$/i.test(name) ? `./${name}` : name, ...rest].map((one) => text(one)),
        )
    }
  }
}
