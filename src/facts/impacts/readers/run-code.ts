import type { Impact } from '../../../model/impact.ts'
import type { Call } from '../../../words/calls.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { type ImpactFound, makeImpact } from '../make-impact.ts'
import { charactersReadMax, codeSearchedMax } from '../texts/sql.ts'
import type { ShellCode } from '../../../model/shell.ts'
import { vitalFolder } from '../../programs/families/windows.ts'

type FoundInCode = Pick<ImpactFound, 'area' | 'kind' | 'thing' | 'object' | 'undo'>

/** Finds code on the command line that runs what it fetches or decodes, or connects a shell to somebody. */
export function impactsOfRunCode(call: Call): readonly Impact[] {
  const { code } = call.command
  if (code === undefined || call.args !== call.command.args) return []
  const text = withoutComments((code.text ?? '').slice(0, codeSearchedMax))
  const found: FoundInCode[] = []
  const runs = { kind: 'run', thing: 'code' } as const
  if (connectsShell(code, text))
    found.push({
      area: 'opened-access',
      kind: 'open',
      thing: 'machine',
      object: 'shell of this machine',
      undo: 'never',
    })
  if (decodesAndRuns(code, text))
    found.push({ area: 'decoded-code', ...runs, object: 'what it decodes', undo: 'never' })
  if (fetchesAndRuns(code, text))
    found.push({ area: 'fetched-code', ...runs, object: 'what it fetches', undo: 'never' })
  else if (runsCodeOfModels(text))
    found.push({ area: 'fetched-code', ...runs, object: 'what comes with a model or a dataset', undo: 'work' })
  return found.map((one) =>
    makeImpact(call, lineIn(call, {}), {
      ...one,
      names: [],
      words: '…',
      through: 'code',
      where: 'unknown',
      targets: {},
    }),
  )
}

const throughShell = /shell\s*[=:]\s*(?:True|true|1|['"])|\bos\.(?:system|popen)\b|\b(?:ba|z|da)?sh['"]?\s*,\s*['"]-c/

/** Tells whether code decodes a text and runs it. */
function decodesAndRuns({ does, language }: ShellCode, code: string): boolean {
  const decodes = does.includes('decodes') || decoding.test(code)
  if (!decodes) return false
  if (does.includes('evaluates')) return true
  return throughShell.test(code) || evaluatesDecoded.test(code) || (!plain.test(language) && quotesDecoded.test(code))
}

const decoding =
  /b(?:64|32|16|85)decode|base64\.decode|fromhex|unhexlify|codecs\.decode|zlib\.decompress|atob\s*\(|Buffer\.from\([^)]{0,400}['"](?:base64|hex)['"]|base64_decode|gzinflate|str_rot13|hex2bin|MIME::Base64|decode_base64|unpack\s?\(?\s?['"]m|Base64\.(?:strict_|urlsafe_)?decode64|FromBase64String|pack\s?\(?\s?['"]H/i
/** Owners of an `exec` or `loads` that run nothing: expressions, and formats that hold data. */
const ofData = String.raw`(?<!\/[a-z]{0,20}\.|\b(?:re|rx|regexp?|pattern|u?json|orjson|toml\w{0,20}|yaml)\.)`
const decoders = String.raw`(?:b(?:64|32|16|85)decode|fromhex|unhexlify|codecs\.decode|decompress|atob|Buffer\.from|base64_decode|gzinflate|str_rot13|hex2bin|decode_base64|unpack|decode64|FromBase64String|pack)`
const evaluatesDecoded = new RegExp(
  String.raw`${ofData}\b(?:exec|eval|system|popen|loads|Function|iex|Invoke-Expression)\b[^;\n]{0,80}${decoders}`,
  'i',
)
/** Languages in which a backtick starts nothing, and \`assert\` evaluates no text. */
const plain = /^(?:python|javascript)$/
const quotesDecoded = new RegExp(String.raw`(?:\bassert\b|\`)[^;\n]{0,80}${decoders}`, 'i')

const fetching =
  /\burlopen\b|\burlretrieve\b|\brequests\.(?:get|post|request)\b|\bhttpx\.(?:get|post|stream)\b|\bhttp\.client\b|\bfetch\s*\(|\bhttps?\.get\b|\baxios\b|\bfile_get_contents\s*\(\s*['"]https?:|\bURI\.open\b|\bopen-uri\b|\bNet::HTTP\b|\bLWP::|\bHTTP::Tiny\b|\bDownload(?:String|File|Data)\b|\bInvoke-(?:WebRequest|RestMethod)\b|\b(?:iwr|irm|curl|wget)\s|\bNet\.WebClient\b|\bStart-BitsTransfer\b|\binclude(?:_once)?\s?\(?['"]https?:|\brequire(?:_once)?\s?\(?['"]https?:|\bimport\s*\(\s*['"]https?:|\bsource\s*\(\s*['"]https?:/

/** Tells whether code runs what comes with a model or a dataset, of which nobody has named a revision. */
const runsCodeOfModels = (code: string): boolean =>
  /\btrust_remote_code\s?=\s?True\b(?![^\n]{0,200}\brevision\s?=)|\btorch\.hub\.load\(/.test(code)

/** Readers of formats that may hold code, which runs as they read: pickles and the like. */
const readsObjects =
  /\b(?:c?pickle|dill|cloudpickle|joblib|marshal|jsonpickle)\.(?:loads?|decode)\b|\bread_pickle\(|\btorch\.load\((?![^\n]{0,400}weights_only\s?=\s?True)|\bMarshal\.load\b|\bunserialize\(|\byaml\.(?:unsafe_load|full_load|load\((?![^\n]{0,400}Safe))|\bYAML\.(?:unsafe_load|load)\b|\ballow_pickle\s?=\s?True|\bObjectInputStream\b|\bBinaryFormatter\b/

/** Tells whether code fetches a text from another machine and runs it. */
function fetchesAndRuns({ does, language }: ShellCode, code: string): boolean {
  if (/\b(?:include|require)(?:_once)?\s?\(?\s?['"]https?:|\bimport\s*\(\s*['"]https?:/.test(code)) return true
  if (language === 'r' && /\bsource\s?\(\s?(?:url\s?\(\s?)?['"]https?:/.test(code)) return true
  if (!does.includes('network') && !fetching.test(code)) return false
  if (language === 'powershell')
    return (
      savesAndStarts(code) || /\b(?:iex|Invoke-Expression|Invoke-Command|icm)\b/i.test(code) || startsFetched.test(code)
    )
  return does.includes('evaluates') || (fetching.test(code) && (runsText.test(code) || readsObjects.test(code)))
}

/** A program of PowerShell that is given what a variable, brackets or a pipe have: a name that is written out is none. */
const startsFetched =
  /\|[^\S\n]*(?:&|Start-Process\b|saps\b)|(?:\b(?:Start-Process|saps)\b|(?:^|[;{])[^\S\n]{0,40}&)[^;|\n]{0,200}[$({]/im

const saves = /(?:DownloadFile|-OutFile|Start-BitsTransfer)[^;\n]{0,400}/gi
const programFile = /[\w-]{1,64}\.(?:exe|ps1|bat|cmd|msi|vbs|js|dll|hta)\b/gi

/** Tells whether code starts a file behind the statement that saves it, by its name or at the end of a path. */
const savesAndStarts = (code: string): boolean =>
  [...code.matchAll(saves)].some(({ 0: statement, index }) => {
    const names = statement.match(programFile) ?? []
    const from = index + statement.length
    const behind = names.length === 0 ? '' : code.slice(from, from + savedMax)
    return names.some((name) =>
      behind
        .toLowerCase()
        .split(name.toLowerCase())
        .slice(0, -1)
        .some((before) => /[\s;\\/&.'"]/.test(before.charAt(before.length - 1))),
    )
  })
/** As far behind a download is a start of the file looked for, in UTF-16 units. */
const savedMax = 480

const runsText =
  /\b(?:exec|eval|compile|execfile|instance_eval|loadstring|passthru|shell_exec|Function|runInThisContext|runInNewContext)\s*[(`"']|\bos\.system\s*\(|\bshell\s?=\s?True|\bsystem\s*\(|\bexecSync\s*\(|\beval\b/

/** Returns code without lines of comments: these say nothing of what is done. */
const withoutComments = (text: string): string => text.replaceAll(/^[^\S\n]*(?:#|\/\/).*$/gm, '')

/** A variable as the command of a process. */
const runsVariable =
  /\b(?:popen|system|exec|execSync|spawn|check_output|getoutput|call|run|eval|shell_exec|passthru)\s?\(\s?\$?[a-z_]\w{0,80}(?:\.\w{1,40}\(\))?\s?[,)]|`\$?\w{1,80}`/i

const connects =
  /\bsocket\b|\bfsockopen\b|\bpfsockopen\b|\bTCPSocket\b|\bnet\.(?:connect|Socket|createConnection)\b|\brequire\(['"](?:node:)?net['"]\)|\bIO::Socket\b|\bTCPClient\b|\bSocket\(|\bsocket\.tcp\b|\bnet\.Dial\b|\bws?s?:\/\//i
const shell =
  /['"`](?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k|c|a)?sh\b[^'"`]{0,400}['"`]|\bcmd(?:\.exe)?['"]|\bpowershell|\bpty\.spawn\b|\bdup2\s?\(|\biex\b|\bInvoke-Expression\b/i

/** Tells whether code connects a shell to a socket. */
function connectsShell({ does }: ShellCode, code: string): boolean {
  if (/\/inet\/(?:tcp|udp)\//.test(code)) return true
  if (!connects.test(code)) return false
  const hasShell = shell.test(code)
  // The socket is the shell's input: `s.pipe(sh.stdin)`.
  if (hasShell && /\.pipe\(\s?\w{1,80}\.stdin\b/.test(code)) return true
  if (/recv|receive|\bread\b|getline|gets/i.test(code) && runsVariable.test(code)) return true
  if (/\beval\s?\(?\s?<\$\w/.test(code)) return true
  const starts = does.includes('starts') || does.includes('evaluates')
  return hasShell && (starts || /\bdup2\b|\bspawn\b|\bexecv?[lpe]*\b|\bpopen\b|\bsystem\b|\biex\b/i.test(code))
}

/** Matches a call that sets the setuid bit: `os.chmod(a, 0o4755)`, `chmod 04755, "a"`, `S_ISUID`. */
const setuid =
  /\bf?chmod(?:Sync)?\b[\s(]*(?![\s(])(?:(?:[^\n;]{0,200}?[,\s(])?(?:["']?0?o?[4567][0-7]{3}\b|["'][ug]\+s\b)|(?:[^\n;]{0,200}\n[^\n;]{0,80}|[^\n;]{0,281})S_ISUID)/
/** Matches a call that signals every process: `os.kill(-1, 9)`, `process.kill(-1)`, `Process.kill(9, -1)`, `kill 9, -1`. */
const killsAll =
  /\b(?:posix_)?kill\s{0,9}\(\s{0,9}(?:["':]{0,2}\w{1,20}["']?\s{0,9},\s{0,9})?-1\b|\bkill\s{1,9}["':]{0,2}\w{1,20}["']?\s{0,9},\s{0,9}-1\b/

const deeds: readonly (readonly [RegExp, ImpactFound])[] = [
  [
    setuid,
    {
      kind: 'grant',
      thing: 'account',
      area: 'machine',
      object: 'program',
      names: [],
      undo: 'work',
      consequence: 'which then runs as its owner',
      words: '… chmod',
    },
  ],
  [
    killsAll,
    {
      kind: 'stop',
      thing: 'machine',
      area: 'processes',
      object: 'every process of this machine',
      names: [],
      undo: 'never',
      instead: 'use the ids of those that you started',
      words: '… kill',
    },
  ],
]

/** Finds what code on the command line does to this machine. */
export function impactsOfMachineCode(call: Call): readonly Impact[] {
  const { code } = call.command
  if (code?.text === undefined || code.language === 'shell' || call.args !== call.command.args) return []
  const text = code.text.slice(0, charactersReadMax)
  return deeds.flatMap(([like, deed]) =>
    like.test(text) ? [makeImpact(call, lineIn(call, {}), { ...deed, through: 'code' })] : [],
  )
}

/**
 * Match destroying commands in a text for `cmd` or PowerShell. It is not split into commands, since both quote, escape and
 * continue lines otherwise than a shell, so there is no line that the entries of these programs could be held against.
 */
const destroying =
  /(?:^|[\s;&|({"'])(?:format(?:\.com)?\s+[a-z]:|format-volume|clear-disk|diskpart|cipher\s+\/w|vssadmin\s+delete|wbadmin\s+delete|(?:del|erase|rd|rmdir)\s+(?:\/\w\s+)*\/s\s+(?:\/\w\s+)*"?(?:[a-z]:|%|\\)|bcdedit\s+\/(?:set|delete)|stop-computer|restart-computer)/i
const recursive =
  /(?:^|[\s;&|({"'])(?:remove-item|ri|rm|del|rd|erase|rmdir)\b[^;|\n]{0,300}-r(?:ecurse|ecurs|ecur|ecu|ec|e)?(?:[\s:;]|$)/i

/** Matches a recursive listing that is piped into a deletion. */
const listed =
  /(?:^|[\s;&|({"'])(?:get-childitem|gci|dir|ls)\b[^;|\n]{0,300}\s-(?:r(?:ec(?:urse)?)?|s)\b[^;|\n]{0,300}\|\s{0,9}(?:remove-item|ri|rm|del|erase|rd)\b/i

/** Finds files and drives that a text for `cmd` or PowerShell destroys. */
export function impactsOfWindowsTexts(call: Call): readonly Impact[] {
  const { code } = call.command
  if (code?.text === undefined || (code.language !== 'powershell' && code.language !== 'cmd')) return []
  const { text } = code
  const isOfSystem = destroying.test(text) || ((recursive.test(text) || listed.test(text)) && vitalFolder.test(text))
  if (!isOfSystem && !recursive.test(text)) return []
  const impact = makeImpact(call, lineIn(call, {}), {
    kind: 'delete',
    thing: 'data',
    area: 'windows',
    object: isOfSystem ? 'files or drives of the system' : 'folders, with everything in them',
    names: [],
    undo: isOfSystem ? 'never' : 'work',
    through: 'code',
    instead: 'name what is yours, one by one',
    words: '',
  })
  return [impact]
}
