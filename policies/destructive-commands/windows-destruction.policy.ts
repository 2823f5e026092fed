import {
  abstains,
  answerTo,
  asks,
  definePolicy,
  denies,
  rootAround,
  type ShellCommand,
  strictest,
} from 'hookgate/policy'
import { namesMatcher } from './globs.ts'
import { areRegenerable, regenerable } from './regenerable.ts'

/** True if all paths that code deletes are known and in the workspace: another rule judges those by their names. */
function isOfWorkspace({ paths }: ShellCommand): boolean {
  const deleted = paths.filter(({ access }) => access === 'delete')
  return deleted.length > 0 && deleted.every(({ inRoot = '', unresolved }) => inRoot !== '' && unresolved !== true)
}

/** Parameters of PowerShell whose value is a pattern of names. */
const nameParameters = /^-(?:i|include|fi|filter)$/i
/** Parameters of PowerShell with another value, which is no name. */
const valueParameters = /^-(?:exclude|erroraction|ea|depth|credential)$/i

/**
 * Returns the words of a command of PowerShell or `cmd` from its text. Agents on Windows run them by a tool that is a Unix
 * shell elsewhere, and no call says which: the facts read it as one, so `.\dist` is `.dist`. Of a tool that is PowerShell
 * for certain they keep the backslashes, as slashes.
 */
const wordsOf = ({ place }: ShellCommand, typed: string): readonly string[] =>
  typed.slice(place.start, place.end).replaceAll(/,\s*/g, ',').trim().split(/\s+/).slice(1)

const listOf = (word: string): readonly string[] =>
  word.split(',').map((one) => one.replaceAll(/^["']|["']$/g, '').replace(/^\.[\\/]/, ''))

/** Returns the names among a command's words: its operands, or the values of parameters such as `-Include`. */
function namesIn(words: readonly string[], byParameter: boolean): readonly string[] {
  return words
    .filter((word, at) => {
      const before = words[at - 1] ?? ''
      if (/^(?:-[a-z]|\/[a-z]$)/i.test(word) || valueParameters.test(before)) return false
      return nameParameters.test(before) === byParameter
    })
    .flatMap(listOf)
}

/** True for a listing of a folder: nothing but names is read. */
const isListing = ({ paths }: ShellCommand) =>
  paths.length > 0 && paths.every(({ access, metadata }) => access === 'read' && metadata === true)
/** True for a relative name or pattern that stays in the working folder. */
const isWithin = (name: string) => /^[\w.*-]+(?:[\\/][\w.*-]+)*[\\/]?$/.test(name) && !name.includes('..')

/** Returns the names to which `Where-Object { $_.Name -in 'bin','obj' }` reduces a listing. */
function namesLeft({ place }: ShellCommand, typed: string): readonly string[] {
  const condition = typed.slice(place.start, place.end).trimEnd()
  const [, list = ''] = /\bName\s{1,9}-(?:in|eq)\s{1,9}([@("'\w.,\s-]{1,400})[)}]{0,4}$/i.exec(condition) ?? []
  return list
    .trim()
    .split(/[\s,]+/)
    .flatMap(listOf)
    .filter((name) => name !== '')
}

/** Returns the names to which the listing is limited that is piped into a deletion; `undefined` without a listing. */
function namesListed(at: number, commands: readonly ShellCommand[], typed: string): readonly string[] | undefined {
  const before = commands[at - 1]
  if (before === undefined) return undefined
  const left = namesLeft(before, typed)
  const listing = left.length > 0 ? commands[at - 2] : before
  if (listing === undefined || !isListing(listing)) return undefined
  const words = wordsOf(listing, typed)
  const found = left.length > 0 ? left : namesIn(words, true)
  const folders = namesIn(words, false).filter((name) => name !== '.')
  return folders.every(isWithin) ? (found.length > 0 ? found : folders) : []
}

/** True if a command deletes only what a build recreates in the workspace, by names that it or a listing gives. */
function deletesOutput(at: number, commands: readonly ShellCommand[], typed: string, isOne: (name: string) => boolean) {
  const command = commands[at]
  if (command === undefined || command.startedBy !== undefined) return false
  const own = namesIn(wordsOf(command, typed), false)
  const names = own.length > 0 ? own : (namesListed(at, commands, typed) ?? [])
  return (
    names.length > 0 &&
    names.every(isWithin) &&
    areRegenerable(
      names.map((name) => name.split(/[\\/]/).findLast((part) => part !== '') ?? ''),
      isOne,
    )
  )
}

export default definePolicy({
  id: 'windows-destruction',
  severity: 'critical',
  terminalOnly: true,
  description: 'Refuses to destroy drives, backups and settings on Windows, including inside `cmd` and PowerShell',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['windows'] },
  params: { regenerable },
  decide({ event, tool, shell, impacts, params }) {
    const roots = event.workspaceRoots.length === 0 ? [event.session.cwd] : event.workspaceRoots
    const isHere = ({ cwd = '' }: ShellCommand) => rootAround(cwd, roots) !== undefined
    const isRegenerated = namesMatcher(params.regenerable)
    /** True for a deletion of what a build recreates, and for code that deletes only known paths in the workspace. */
    function isSpared(at: number, isOfCode: boolean): boolean {
      const command = shell.commands[at]
      if (command === undefined) return false
      if (isOfCode) return isOfWorkspace(command)
      return isHere(command) && deletesOutput(at, shell.commands, tool.command ?? '', isRegenerated)
    }
    return strictest(
      impacts.flatMap((impact) => {
        const { area, kind, thing, undo, through, by } = impact
        if (area !== 'windows') return []
        const isDeletion = kind === 'delete' && thing === 'data' && undo === 'work' && typeof by === 'number'
        return isDeletion && isSpared(by, through === 'code') ? [] : [answerTo(impact)]
      }),
    )
  },
  examples: [
    denies('a new owner of a program of the system', 'takeown /f "C:\\Windows\\System32\\sethc.exe"'),
    denies('rights to a program of the system', 'icacls "C:\\Windows\\System32\\cmd.exe" /grant Everyone:F'),
    abstains('a look at rights', 'icacls "C:\\Windows\\System32\\cmd.exe"'),
    abstains('rights to a file of the workspace', 'icacls build\\a.txt /grant me:R'),
    denies('what is listed of a drive', 'pwsh -c "gci C:\\ -r | ri -fo"'),
    abstains('what is listed of a build', 'pwsh -c "gci bin -r | ri -fo"'),
    denies('a drive', 'format C: /q'),
    abstains('a script of that name', 'npm run format'),
    denies('deleted files that can still be restored', 'cipher /w:C:'),
    abstains('the help of `cipher`', 'cipher /?'),
    denies('all files of a drive', "cmd /c 'del /f /s /q C:\\*'"),
    abstains('one file', "cmd /c 'del a.txt'"),
    denies('shadow copies', 'vssadmin delete shadows /all'),
    abstains('a list of shadow copies', 'vssadmin list shadows'),
    denies('a folder of the system in PowerShell', "powershell -Command 'Remove-Item -Recurse -Force C:\\Windows'"),
    asks('a folder in PowerShell that is not known', "pwsh -c 'Remove-Item -Recurse $a'"),
    abstains('a folder of the workspace, which another rule judges', "pwsh -c 'Remove-Item -Recurse old'"),
    abstains('a file in PowerShell', "pwsh -c 'Remove-Item old.txt'"),
    abstains('folders of output, each by its name', 'Remove-Item .\\dist, .\\target -Recurse -Force'),
    asks('another folder among them', 'Remove-Item .\\dist, .\\src -Recurse -Force'),
    abstains(
      'output that is listed by its names',
      'Get-ChildItem src -Recurse -Include dist,target | Remove-Item -Recurse -Force',
    ),
    abstains(
      'output that is picked by its names',
      "Get-ChildItem -Recurse | Where-Object { $_.Name -in 'dist','target' } | Remove-Item -Recurse -Force",
    ),
    abstains('leftovers that are listed', 'Get-ChildItem -Recurse -Include *.pyc,*.log | Remove-Item', {
      params: { regenerable: ['*.pyc', '*.log'] },
    }),
    asks('sources that are listed', 'Get-ChildItem -Recurse -Include *.cs | Remove-Item'),
    asks('output of every project', 'Get-ChildItem ~ -Recurse -Include bin,obj | Remove-Item -Recurse -Force'),
    abstains('as text', 'echo "format C:"'),
  ],
})
