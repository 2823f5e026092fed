import { abstains, ask, asks, definePolicy, denies, deny, type PolicyAnswer, type ShellCommand } from 'hookgate/policy'
import { type Call, callIn } from './calls.ts'
import { namesMatcher } from './globs.ts'
import { areRegenerable, regenerable } from './regenerable.ts'

/** A drive, a folder of Windows, of its programs or of its users, with all in it. */
const vital =
  /(?:^|[\s"'])(?:[\\/]\*?|~[\\/]?\*?|[a-z]:(?:[\\/]{0,4}(?:windows|users|program files|programdata|boot|recovery)?[^\s"'\\/]*)?(?:[\\/]{0,4}\*(?:\.\*)?)?|%(?:systemdrive|systemroot|windir|userprofile|programfiles|homepath|homedrive)%\S*|\$env:(?:systemdrive|systemroot|windir|userprofile|programfiles|home)\S*|\$home)[\\/]{0,4}(?=$|[\s"',])/i

/** Folders and files of Windows itself; a shell may have taken the backslashes away. */
const ofSystem =
  /(?:\b[a-z]:[\\/]*(?:windows|program ?files|system volume)|%(?:systemroot|windir|programfiles)%|\$env:(?:systemroot|windir))/i

/** The option by which `cmd` deletes in all folders below; `a/sub` has none. */
const allBelow = /(?:^|\s)(?:\/[a-z])*\/s(?:\/[a-z])*(?=\s|$)/i

const refused: readonly Call[] = [
  { programs: 'format', words: /(?:^| )[a-z]:/i, does: 'format a drive' },
  { programs: 'cipher', words: /\/w/i, does: 'wipe what is left on a drive' },
  { programs: 'diskpart', does: 'repartition disks' },
  { programs: 'format-volume clear-disk initialize-disk remove-partition reset-physicaldisk remove-virtualdisk', does: 'wipe a disk' },
  { programs: 'vssadmin', words: /delete|resize/i, does: 'delete the copies that files could be restored from' },
  { programs: 'wbadmin', words: /delete/i, does: 'delete backups' },
  { programs: 'wmic', words: /shadowcopy.*delete|logicaldisk.*format|useraccount.*(?:delete|rename)/i, does: 'delete what files could be restored from' },
  { programs: 'bcdedit bootrec bcdboot', words: /\/(?:delete|set|fixmbr|deletevalue|rebuildbcd|import|clean)/i, does: 'change how the machine boots' },
  { programs: 'fsutil', words: /usn.*delete|setzerodata|volume dismount|file setvaliddata/i, does: 'damage a drive' },
  { programs: 'reg', words: /^delete .*(?:hklm|hkey_local_machine|hkcr|hkcu\\software(?: |$))/i, does: "delete the system's settings" },
  { programs: 'del erase', words: allBelow, without: /^(?!.*(?:[a-z]:|\\|%|\*|\/)).*$/i, does: 'delete files in all folders below' },
  { programs: 'rd rmdir', words: vital, does: 'delete a folder of the system' },
  { programs: 'deltree', does: 'delete folders with everything in them' },
  { programs: 'remove-item ri', words: vital, does: 'delete a folder of the system' },
  { programs: 'clear-recyclebin disable-computerrestore remove-localuser', does: 'delete what could be restored' },
  { programs: 'takeown', words: ofSystem, does: 'take over what the system consists of' },
  { programs: 'icacls cacls', words: ofSystem, without: /^(?!.*\/(?:g|p|grant|reset|setowner|deny|remove|inheritance|restore)\b).*$/i, does: 'change who can use what the system consists of' },
  { programs: 'set-acl', words: ofSystem, does: 'change who can use what the system consists of' },
  { programs: 'takeown', words: /(?:^|\s)\/r(?=\s|$)/i, does: 'take over all files of a folder' },
  { programs: 'icacls cacls', words: /\/(?:reset|grant|t).*\/t|\/t.*\/(?:reset|grant)/i, does: 'change who can use all files of a folder' },
] // prettier-ignore

const askedAbout: readonly Call[] = [
  { programs: 'rd rmdir', words: allBelow, does: 'delete a folder with everything in it' },
  { programs: 'remove-item ri', words: /-r(?:ecurse|ecu|ec|e)?(?: |:|$)/i, does: 'delete folders with everything in them' },
  { programs: 'robocopy', words: /\/(?:mir|purge|move)/i, does: 'delete what exists only at its target' },
  { programs: 'reg', words: /^(?:delete|import|unload)/i, does: 'change settings of the system' },
  { programs: 'remove-itemproperty clear-content clear-item', does: 'delete settings or contents' },
  { programs: 'sc', words: /^(?:delete|stop|config)/i, does: 'change which services run' },
  { programs: 'schtasks', words: /\/(?:delete|create|change)/i, does: 'change what runs later' },
  { programs: 'set-executionpolicy', words: /(?:bypass|unrestricted).*localmachine|localmachine.*(?:bypass|unrestricted)/i, does: 'let any script run on this machine' },
  { programs: 'net', words: /^(?:user|localgroup|stop)\b.*(?:\/(?:add|delete|active)|^stop)/i, does: 'change users or services' },
  { programs: 'wmic', words: /process call create|\bdelete\b|\bcall\b/i, does: 'start or stop something through the system' },
] // prettier-ignore

/** Their commands in a text that is given to `cmd` or PowerShell, without taking it apart. */
const inText =
  /(?:^|[\s;&|({"'])(?:format(?:\.com)?\s+[a-z]:|format-volume|clear-disk|diskpart|cipher\s+\/w|vssadmin\s+delete|wbadmin\s+delete|(?:del|erase|rd|rmdir)\s+(?:\/\w\s+)*\/s\s+(?:\/\w\s+)*"?(?:[a-z]:|%|\\)|bcdedit\s+\/(?:set|delete)|stop-computer|restart-computer)/i
const recursive =
  /(?:^|[\s;&|({"'])(?:remove-item|ri|rm|del|rd|erase|rmdir)\b[^;|\n]{0,300}-r(?:ecurse|ecurs|ecur|ecu|ec|e)?(?:[\s:;]|$)/i

/** A recursive listing that is piped into a deletion. */
const listed =
  /(?:^|[\s;&|({"'])(?:get-childitem|gci|dir|ls)\b[^;|\n]{0,300}\s-(?:r(?:ec(?:urse)?)?|s)\b[^;|\n]{0,300}\|\s{0,9}(?:remove-item|ri|rm|del|erase|rd)\b/i

const isWindowsCode = ({ code }: ShellCommand) => code?.language === 'powershell' || code?.language === 'cmd'

/** True if it is known what code deletes, all of it in the workspace: another rule judges that by its names. */
function isOfWorkspace({ paths }: ShellCommand): boolean {
  const deleted = paths.filter(({ access }) => access === 'delete')
  return deleted.length > 0 && deleted.every(({ inRoot = '', unresolved }) => inRoot !== '' && unresolved !== true)
}

/** Parameters of PowerShell that say which names are meant, and those that take another value. */
const naming = /^-(?:i|include|fi|filter)$/i
const otherValues = /^-(?:exclude|erroraction|ea|depth|credential)$/i

/** Returns the words of a command of PowerShell or `cmd`, as typed: the facts take no backslashes for slashes. */
const wordsOf = ({ place }: ShellCommand, typed: string): readonly string[] =>
  typed.slice(place.start, place.end).replaceAll(/,\s*/g, ',').trim().split(/\s+/).slice(1)

const listOf = (word: string): readonly string[] =>
  word.split(',').map((one) => one.replaceAll(/^["']|["']$/g, '').replace(/^\.[\\/]/, ''))

/** Returns the names that a command is given: all its operands, or only those that a parameter names. */
function namesIn(words: readonly string[], byParameter: boolean): readonly string[] {
  return words
    .filter((word, at) => {
      const before = words[at - 1] ?? ''
      if (/^(?:-[a-z]|\/[a-z]$)/i.test(word) || otherValues.test(before)) return false
      return naming.test(before) === byParameter
    })
    .flatMap(listOf)
}

const isListing = ({ program }: ShellCommand) => /^(?:get-childitem|gci)$/.test(program)
const isWithin = (name: string) => /^[\w.*-]+(?:[\\/][\w.*-]+)*[\\/]?$/.test(name) && !name.includes('..')

/** The names that `Where-Object { $_.Name -in 'bin','obj' }` leaves of a listing. */
function namesLeft({ program, place }: ShellCommand, typed: string): readonly string[] {
  if (!/^(?:where-object|where|\?)$/.test(program)) return []
  const condition = typed.slice(place.start, place.end).trimEnd()
  const [, list = ''] = /\bName\s{1,9}-(?:in|eq)\s{1,9}([@("'\w.,\s-]{1,400})[)}]{0,4}$/i.exec(condition) ?? []
  return list
    .trim()
    .split(/[\s,]+/)
    .flatMap(listOf)
}

/** The names that a listing is limited to, which is piped into a deletion; `undefined` where none is. */
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

/** True if only folders of the workspace that a build recreates are deleted, each by its name or found by it. */
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

/** True if a deletion is given what a listing finds at any depth. */
const isOfListing = (at: number, commands: readonly ShellCommand[]) =>
  [commands[at - 1], commands[at - 2]].some(
    (one) =>
      one !== undefined && isListing(one) && one.args.some(({ value }) => /^-(?:r(?:ec(?:urse)?)?|s)$/i.test(value)),
  ) && commands[at]?.args.every(({ value }) => value.startsWith('-')) === true

export default definePolicy({
  id: 'windows-destruction',
  severity: 'critical',
  terminalOnly: true,
  description: 'Refuses to destroy drives, backups and settings on Windows, including inside `cmd` and PowerShell',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: [...refused, ...askedAbout].map(({ programs }) => programs), code: true },
  params: { regenerable },
  decide({ event, tool, shell, params }) {
    const roots = event.workspaceRoots.length === 0 ? [event.session.cwd] : event.workspaceRoots
    const isHere = ({ cwd = '' }: ShellCommand) => roots.some((root) => cwd === root || cwd.startsWith(`${root}/`))
    const isRegenerated = namesMatcher(params.regenerable)
    let question: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      const text = isWindowsCode(command) ? command.code?.text : undefined
      const call = callIn(command, refused)
      if (call !== undefined) return deny(`${command.program} would ${call.does}: let the person do it`, { at })
      if (
        text !== undefined &&
        (inText.test(text) || ((recursive.test(text) || listed.test(text)) && vital.test(text)))
      ) {
        return deny(
          `${command.program} would destroy files or drives of the system: name single files of the workspace`,
          { at },
        )
      }
      const less = callIn(command, askedAbout)
      const isOutput =
        /^(?:remove-item|ri|rd|rmdir)$/.test(command.program) &&
        isHere(command) &&
        deletesOutput(at, shell.commands, tool.command ?? '', isRegenerated)
      const isDeletion = /^(?:remove-item|ri)$/.test(command.program)
      if (isDeletion && less === undefined && !isOutput && isOfListing(at, shell.commands))
        question ??= ask(`${command.program} would delete every file that is listed, in all folders: name your own`, {
          at,
        })
      if (less !== undefined && !isOutput)
        question ??= ask(`${command.program} would ${less.does}: name your own, one by one`, { at })
      if (text !== undefined && recursive.test(text) && !isOfWorkspace(command)) {
        question ??= ask(
          `${command.program} would delete folders with everything in them: name what is yours, one by one`,
          { at },
        )
      }
    }
    return question
  },
  examples: [
    denies('the owner of a program of the system', 'takeown /f "C:\\Windows\\System32\\sethc.exe"'),
    denies('its rights', 'icacls "C:\\Windows\\System32\\cmd.exe" /grant Everyone:F'),
    abstains('a look at them', 'icacls "C:\\Windows\\System32\\cmd.exe"'),
    abstains('the rights of a file of its own', 'icacls build\\a.txt /grant me:R'),
    denies('what is listed of a drive', 'pwsh -c "gci C:\\ -r | ri -fo"'),
    abstains('what is listed of a build', 'pwsh -c "gci bin -r | ri -fo"'),
    denies('a drive', 'format C: /q'),
    abstains('a script of that name', 'npm run format'),
    denies('what is left on it', 'cipher /w:C:'),
    abstains('help', 'cipher /?'),
    denies('all files', "cmd /c 'del /f /s /q C:\\*'"),
    abstains('one file', "cmd /c 'del a.txt'"),
    denies('copies', 'vssadmin delete shadows /all'),
    abstains('which there are', 'vssadmin list shadows'),
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
