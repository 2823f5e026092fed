import type { Exception, PathPattern } from '../../model/exception.ts'
import { type Refusal, refused } from '../../model/problem.ts'
import { quoted } from '../../model/text.ts'
import { parseCommandPattern } from './word-pattern.ts'

/** A refusal, and the key that it is about; `undefined` for the whole exception. */
type SubjectRefusal = Refusal & { readonly key: 'command' | 'path' | undefined }

/** Parses what an exception is about. */
export function subjectOf(
  {
    rule,
    command,
    path,
  }: { readonly rule: string; readonly command?: string | undefined; readonly path?: string | undefined },
  home: string,
): Exception['subject'] | SubjectRefusal {
  if (command === undefined && path === undefined) {
    const remedy = 'add a `command` or a `path`; to switch a rule off, `disable` it in its pack'
    return { ...refused('the exception names neither a `command` nor a `path`', remedy), key: undefined }
  }
  if (command !== undefined && path !== undefined) {
    return { ...refused('the exception names both a `command` and a `path`', 'make two of it'), key: 'path' }
  }
  if (command !== undefined) {
    const parsed = parseCommandPattern(command, home)
    if ('message' in parsed) return { ...parsed, key: 'command' }
    return parsed.open && /^\**$/.test(rule)
      ? {
          ...refused(`it excepts every rule for ${quoted(command)}: that is too wide`, 'name the rule'),
          key: 'command',
        }
      : parsed
  }
  const parsed = pathPattern(path ?? '', home)
  return 'message' in parsed ? { ...parsed, key: 'path' } : parsed
}

/** Parses the `path` of an exception: a glob of `.gitignore`, from the project's root, from `/` or from `~`. */
function pathPattern(text: string, home: string): PathPattern | Refusal {
  if (/[[\]{}?\\!]/.test(text)) {
    return refused(`${quoted(text)} may except more than it says: only \`*\` and \`**\` are exact`, 'write several')
  }
  if (text.split('/').includes('..')) return refused(`${quoted(text)} leads out with \`..\``, 'write where it leads')
  if (/^[~/.*]*$/.test(text)) {
    return refused(`${quoted(text)} is too wide: it names no file or folder`, 'name one: `fixtures/**`')
  }
  const absolute = text.startsWith('~/') ? home + text.slice(1) : text
  return { kind: 'path', text, glob: absolute.startsWith('/') ? `/${absolute}` : absolute }
}
