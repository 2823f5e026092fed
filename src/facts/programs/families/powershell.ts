import { codeStage } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import { type ShellCommand, type ShellWord, unknownPart } from '../../../model/shell.ts'
import type { Line, Row, CommandView } from '../row.ts'
import type { Starts } from '../starts.ts'
import { changed, joined, known, names, inFolder } from '../words.ts'
import { accessOfSystem, deletion, inFolders, isOfListing, systemPaths } from './windows.ts'
import { hasWord } from '../deeds/deeds.ts'
import { http } from './http.ts'

const powershell: Row = {
  options:
    'c command e ec enc encodedcommand f=execute file=execute ex ep executionpolicy w windowstyle wd workingdirectory=names version inputformat outputformat',
  oneDash: true,
  operandsLast: true,
  // PowerShell's options are case-insensitive.
  words: ({ args }) =>
    args.map((word) => (word.value.startsWith('-') ? { ...word, value: word.value.toLowerCase() } : word)),
  effects(line, recorder) {
    const [first] = line.operands
    if (first?.value.endsWith('.ps1') === true) recorder.touch(first, 'execute')
  },
}

/** Windows shells. A bare argument is a script for Windows PowerShell, but a file for `pwsh`. */
export const windowsShells: Family = {
  rows: { codeOnStdin: 'shell' },
  programs: {
    powershell: { ...powershell, starts: (...given) => startPowershell('command')(...given), does: codeStage },
    pwsh: { ...powershell, starts: (...given) => startPowershell('file')(...given), does: codeStage },
    'pwsh-preview': { ...powershell, starts: (...given) => startPowershell('file')(...given) },
    cmd: { starts: startCmd },
  },
}

/** Parameters that take a value. Any may be abbreviated. */
const valued = names(`version psconsolefile inputformat outputformat windowstyle executionpolicy configurationname
  configurationfile custompipename settingsfile workingdirectory encodedarguments ep ex ea wd`)
const flags = names(
  'nologo noexit sta mta noprofile noninteractive interactive login noprofileloadtime sshservermode nop noni noe nol i l',
)

type Parameter = 'command' | 'encoded' | 'file' | 'help' | 'valued' | 'flag'

/**
 * Classifies a parameter, which begins with `-`, `--` or `/`, in any case, and may be abbreviated: `-Com`, `/c`,
 * `-enc`.
 */
function parameterOf(text: string): Parameter | undefined {
  const name = /^(?:--?|\/)([a-z?]+)$/i.exec(text)?.[1]?.toLowerCase()
  if (name === undefined) return undefined
  if (/^(?:h|help|\?)$/.test(name)) return 'help'
  if (name !== '' && ('command'.startsWith(name) || 'commandwithargs'.startsWith(name) || name === 'cwa'))
    return 'command'
  if (name === 'ec' || ('encodedcommand'.startsWith(name) && name !== '')) return 'encoded'
  if ('file'.startsWith(name)) return 'file'
  if (flags.some((one) => one === name)) return 'flag'
  if (valued.some((one) => one.startsWith(name))) return 'valued'
  return flags.some((one) => one.startsWith(name)) ? 'flag' : undefined
}

/** Makes the function that finds what PowerShell runs. `bare` says what an argument without a parameter is. */
const startPowershell =
  (bare: 'command' | 'file') =>
  (_: Line, starts: Starts, { args, stdin }: ShellCommand): void => {
    for (let at = 0; at < args.length; at++) {
      const word = args[at] ?? known('')
      const rest = args.slice(at + 1)
      if (word.value === '-') break
      const parameter = parameterOf(word.value)
      if (parameter === 'help') {
        starts.wrapper()
        return
      }
      if (parameter === 'command') {
        if (rest[0]?.value !== '-') starts.code('powershell', joined(rest.map(asMeant)))
        else if (stdin !== undefined) starts.code('powershell', stdin, { stdin: 'none' })
        return
      }
      if (parameter === 'encoded') {
        const [text] = rest
        if (text === undefined || text.value.startsWith('-')) return
        starts.code('powershell', decoded(text), { encoded: true })
        return
      }
      if (parameter === 'file') return
      if (parameter === 'valued') at++
      if (parameter !== undefined) continue
      if (bare === 'command') starts.code('powershell', joined(args.slice(at).map(asMeant)))
      return
    }
    if (stdin !== undefined) starts.code('powershell', stdin, { stdin: 'none' })
  }

/** Variables of PowerShell that no shell has by that name, and its `$_`. */
const own = /^(?:_|true|false|null|PSItem)$/

/** Bash takes them for its own in code that stands in double quotes. PowerShell's were meant: the code is read with them. */
const asMeant = (word: ShellWord): ShellWord =>
  word.variable !== undefined && own.test(word.variable) && word.value !== unknownPart
    ? known(word.value.replaceAll(unknownPart, `$${word.variable}`))
    : word

/** Decodes an `-EncodedCommand`: Base64 of little-endian UTF-16. */
const decoded = (word: ShellWord): ShellWord =>
  word.unresolved === true ? word : { value: Buffer.from(word.value, 'base64').toString('utf16le') }

/** Starts the code of `cmd /c COMMAND…`: the rest of the line, with or without a blank after the option. */
function startCmd(_: Line, starts: Starts, { args, stdin }: ShellCommand): void {
  const at = args.findIndex(({ value }) => /^\/\/?[ckr]/i.test(value))
  const word = args[at]
  if (word === undefined) {
    if (stdin !== undefined) starts.code('cmd', stdin, { stdin: 'none' })
    return
  }
  const letters = /^\/\/?[ckr]/i.exec(word.value)?.[0].length ?? 0
  const rest = args.slice(at + 1)
  starts.code('cmd', joined(word.value.length > letters ? [changed(word, word.value.slice(letters)), ...rest] : rest))
}

/** Parameters that take a value and name no file. */
const options = `value encoding filter include exclude itemtype type name delimiter first head last tail totalcount stream
  credential erroraction ea depth algorithm pattern property inputobject width +recurse +force`

const path = /^-(?:p|pa|pat|path|pspath|lit\w*|lp|filep\w*)$/
const destination = /^-(?:des\w*|newn\w*)$/

/**
 * Writes parameters in small letters, and what is named by one as an operand in its place: PowerShell takes the path first
 * and the destination last, whether they are named or not.
 */
function withoutNames({ args }: CommandView): readonly ShellWord[] {
  const words = args.flatMap((word): readonly ShellWord[] => {
    const [, name = '', attached] = /^(-[A-Za-z]+)(?::(.*))?$/s.exec(word.value) ?? []
    if (name === '') return [word]
    return [known(name.toLowerCase()), ...(attached === undefined ? [] : [changed(word, attached)])]
  })
  const paths: ShellWord[] = []
  const rest: ShellWord[] = []
  const last: ShellWord[] = []
  for (let at = 0; at < words.length; at++) {
    const [word = known(''), next] = words.slice(at, at + 2)
    const isPath = path.test(word.value)
    if (next === undefined || !(isPath || destination.test(word.value))) rest.push(word)
    else {
      ;(isPath ? paths : last).push(next)
      at++
    }
  }
  return [...paths, ...rest, ...last]
}

const cmdlet = (row: Row): Row => ({ options, words: withoutNames, oneDash: true, ...row })

/** A cmdlet that changes files by its parameters, and no others. */
const fileCmdlet = (row: Row) => ({ ...cmdlet(row), saysWhatChanges: true as const })

const maker = fileCmdlet({
  first: 'write',
  effects(line, recorder) {
    const name = line.value('name')
    if (name !== undefined) recorder.touch(inFolder(line.operands[0], name), 'write')
  },
})

/** PowerShell's cmdlets that work on files, by their names and by aliases that no other program has. */
export const cmdlets: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    'get-content gc import-csv import-clixml import-powershelldatafile format-hex': fileCmdlet({
      output: 'form',
      operands: 'read',
    }),
    'get-filehash': fileCmdlet({ output: 'counts', operands: 'read' }),
    'select-string': fileCmdlet({ output: 'matches', first: 'none', firstUnless: 'pattern', operands: 'read' }),
    'get-childitem gci': fileCmdlet({ operands: 'names', otherwise: ['.', 'names'] }),
    'test-path get-item gi get-itemproperty gp get-acl resolve-path rvpa convert-path': fileCmdlet({
      operands: 'names',
    }),
    'join-path split-path write-output write-host write-verbose write-warning measure-object': fileCmdlet({
      operands: 'none',
    }),
    'clear-content': {
      ...fileCmdlet({
        first: 'write',
        how: () => ({ change: 'emptied' }),
      }),
      does: { area: 'windows', kind: 'delete', object: 'what is in', thing: 'data', names: 'first', work: [''] },
    },
    'set-content add-content out-file': { ...fileCmdlet({ first: 'write' }), text: 'content' },
    'clc tee-object export-csv export-clixml set-item': fileCmdlet({ first: 'write' }),
    'new-item': { ...maker, text: 'content' },
    ni: maker,
    'invoke-expression': cmdlet({ runsStdin: true }),
    'copy-item cpi compress-archive': fileCmdlet({
      output: 'files',
      operands: 'read',
      last: 'write',
      recursive: 'recurse',
    }),
    'expand-archive': fileCmdlet({ operands: 'read', last: 'into' }),
    'move-item mi': fileCmdlet({ operands: 'move', last: 'write' }),
    'rename-item rni': fileCmdlet({
      operands: 'move',
      last: 'none',
      effects: (line, recorder) => recorder.touch(renamed(line), 'write'),
    }),
    // Not all below it: a shell that is not PowerShell's own takes backslashes out of `.\\dist`, so it may be another folder.
    'remove-item ri': {
      ...cmdlet({ operands: 'delete' }),
      does: {
        area: 'windows',
        windows: 'parameters',
        also: [
          ...inFolders('-recurse'),
          { ...deletion, object: 'every file that is listed, in all folders', work: [''], when: isOfListing },
        ],
      },
    },
    'invoke-restmethod irm invoke-webrequest iwr': {
      ...cmdlet({
        options:
          'uri method body=data infile=read outfile=write headers=login form=data contenttype useragent proxy=login timeoutsec websession sessionvariable authentication token=login credential certificate certificatethumbprint maximumredirection maximumretrycount retryintervalsec +usebasicparsing +skipcertificatecheck +passthru +usedefaultcredentials',
        network(line) {
          const sends =
            line.has('body', 'infile', 'form') || /^(?:post|put|patch)$/i.test(line.value('method')?.value ?? '')
          return http(sends ? 'both' : 'receive', line.value('uri') ?? line.operands[0])
        },
      }),
      request: 'powershell',
    },
    'set-acl': {
      ...fileCmdlet({ first: 'mode' }),
      does: { area: 'windows', ...accessOfSystem, windows: 'parameters', never: [''], when: hasWord(systemPaths) },
    },
    'set-itemproperty clear-itemproperty': fileCmdlet({ first: 'mode' }),
  },
}

/** The new name of `Rename-Item` is in the folder of the old one. */
function renamed({ operands: [from, name] }: Line): ShellWord | undefined {
  if (from === undefined || name === undefined) return undefined
  return inFolder(changed(from, /^(?:.*[\\/])?/s.exec(from.value)?.[0] ?? ''), name)
}
