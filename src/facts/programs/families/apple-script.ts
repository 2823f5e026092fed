import type { ShellCommand } from '../../../model/shell.ts'
import type { Line } from '../row.ts'
import type { Starts } from '../starts.ts'
import { joined, known } from '../words.ts'

/** Starts the shell commands in a script, the code of JavaScript for Automation, and `trash` for what Finder is told to delete. */
export function startAppleScript(read: Line, starts: Starts, command: ShellCommand): void {
  const code = read.has('e') ? read.values('e') : undefined
  const language = read.value('l')?.value.toLowerCase() === 'javascript' ? 'javascript' : undefined
  const text = code === undefined ? command.stdin : joined(code, '\n')
  if (text === undefined || (code === undefined && read.operands.some(({ value }) => value !== '-'))) return
  const home = starts.variable('HOME')?.value ?? '~'
  for (const path of trashedByFinder(text.value))
    starts.words([known('trash'), known(path.replace(/^~(?=\/|$)/, () => home))])
  if (language !== undefined) starts.code(language, text)
  else if (text === command.stdin && text.unresolved) starts.script(text)
  for (const script of text.value.matchAll(
    /\bdo\s+(?:shell\s+)?script\s+"((?:[^"\\]|\\.)*)"|\bdoShellScript\(\s*["']((?:[^"'\\]|\\.)*)["']/g,
  )) {
    starts.script({ ...text, value: (script[1] ?? script[2] ?? '').replaceAll(/\\(.)/gs, '$1') })
  }
}

/** AppleScript's names of folders of the home directory: `path to documents folder`. */
const standardFolders: Readonly<Record<string, string>> = {
  home: '~',
  documents: '~/Documents',
  desktop: '~/Desktop',
  downloads: '~/Downloads',
  pictures: '~/Pictures',
  movies: '~/Movies',
  music: '~/Music',
  library: '~/Library',
  applications: '/Applications',
}

/** An order to delete, up to the end of its statement. */
const finderDeletion = /\b(?:delete|move)\b([^\n]{1,400})|\.(?:delete|moveToTrash)\(([^\n]{1,400})/g

/** Returns the paths that Finder or System Events is told to delete: they go to the trash, or are gone. */
function trashedByFinder(script: string): readonly string[] {
  if (!/\b(?:Finder|System Events)\b/.test(script)) return []
  return [...script.matchAll(finderDeletion)].flatMap(([whole, given = '', called = '']) => {
    if (/^move\b/.test(whole) && !/\bto (?:the )?trash\b/.test(given)) return []
    const object = called === '' ? given : called
    const [, standard = ''] = /\b(?:path to (?:the )?|folder )?(\w+) folder\b/.exec(object) ?? []
    const [, named] = /"((?:[^"\\]|\\.){1,300})"/.exec(object) ?? []
    const [, within = standard] = /\bof (?:the )?(home|desktop|documents folder)\b/.exec(object) ?? []
    const folder = standardFolders[within.replace(' folder', '').toLowerCase()]
    if (named === undefined) return folder === undefined ? [] : [folder]
    if (/^[/~]/.test(named)) return [named]
    // An alias has the disk's name in front: `Macintosh HD:Users:u:Documents:`.
    if (named.includes(':')) return [`/${named.split(':').slice(1).filter(Boolean).join('/')}`]
    return folder === undefined ? [] : [`${folder}/${named}`]
  })
}
