import type { Found } from '../found.ts'
import type { CodeSurroundings } from '../recognised.ts'
import { text } from '../value.ts'

const words = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map((found) => found[1] ?? found[2] ?? found[0])

/** The interpreter of Windows: a few of its own commands, and programs. */
export function recogniseCmd(source: string, found: Found, around: CodeSurroundings): void {
  for (const line of source.split(/\n|&&?|\|\|?/)) {
    const [name = '', ...rest] = words(
      line
        .replaceAll(/%(?:USERPROFILE|HOME)%/gi, () => around.home ?? '%HOME%')
        .trim()
        .replace(/^@/, ''),
    )
    const paths = rest.filter((one) => !/^\/[a-z?]+(?::\S+)?$/i.test(one)).map((one) => text(one))
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
        found.words([name, ...rest].map((one) => text(one)))
    }
  }
}
