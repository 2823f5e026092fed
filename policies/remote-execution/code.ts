import type { ShellCode } from 'hookgate/policy'

const throughShell = /shell\s*[=:]\s*(?:True|true|1|['"])|\bos\.(?:system|popen)\b|\b(?:ba|z|da)?sh['"]?\s*,\s*['"]-c/

/** True if code decodes a text and runs it. */
export function decodesAndRuns({ does, text = '', language }: ShellCode): boolean {
  const code = uncommented(text)
  const decodes = does.includes('decodes') || decoding.test(code)
  if (!decodes) return false
  if (does.includes('evaluates')) return true
  return throughShell.test(code) || evaluatesDecoded.test(code) || (!plain.test(language) && quotesDecoded.test(code))
}

const decoding =
  /b(?:64|32|16|85)decode|base64\.decode|fromhex|unhexlify|codecs\.decode|zlib\.decompress|atob\s*\(|Buffer\.from\([^)]*['"](?:base64|hex)['"]|base64_decode|gzinflate|str_rot13|hex2bin|MIME::Base64|decode_base64|unpack\s*\(?\s*['"]m|Base64\.(?:strict_|urlsafe_)?decode64|FromBase64String|pack\s*\(?\s*['"]H/i
/** Owners of an `exec` or `loads` that run nothing: expressions, and formats that hold data. */
const ofData = String.raw`(?<!\/[a-z]*\.|\b(?:re|rx|regexp?|pattern|u?json|orjson|toml\w*|yaml)\.)`
const decoders = String.raw`(?:b(?:64|32|16|85)decode|fromhex|unhexlify|codecs\.decode|decompress|atob|Buffer\.from|base64_decode|gzinflate|str_rot13|hex2bin|decode_base64|unpack|decode64|FromBase64String|pack)`
const evaluatesDecoded = new RegExp(
  String.raw`${ofData}\b(?:exec|eval|system|popen|loads|Function|iex|Invoke-Expression)\b[^;\n]{0,80}${decoders}`,
  'i',
)
/** Languages in which a backtick starts nothing, and \`assert\` evaluates no text. */
const plain = /^(?:python|javascript)$/
const quotesDecoded = new RegExp(String.raw`(?:\bassert\b|\`)[^;\n]{0,80}${decoders}`, 'i')

const fetching =
  /\burlopen\b|\burlretrieve\b|\brequests\.(?:get|post|request)\b|\bhttpx\.(?:get|post|stream)\b|\bhttp\.client\b|\bfetch\s*\(|\bhttps?\.get\b|\baxios\b|\bfile_get_contents\s*\(\s*['"]https?:|\bURI\.open\b|\bopen-uri\b|\bNet::HTTP\b|\bLWP::|\bHTTP::Tiny\b|\bDownload(?:String|File|Data)\b|\bInvoke-(?:WebRequest|RestMethod)\b|\b(?:iwr|irm|curl|wget)\s|\bNet\.WebClient\b|\bStart-BitsTransfer\b|\binclude(?:_once)?\s*\(?['"]https?:|\brequire(?:_once)?\s*\(?['"]https?:|\bimport\s*\(\s*['"]https?:|\bsource\s*\(\s*['"]https?:/

/** True if code runs what comes with a model or a dataset, and which nobody has named a revision of. */
export const runsCodeOfModels = ({ text = '' }: ShellCode): boolean =>
  /\btrust_remote_code\s*=\s*True\b(?![^\n]{0,200}\brevision\s*=)|\btorch\.hub\.load\(/.test(uncommented(text))

/** Readers of formats that may hold code, which runs as they read: pickles and the like. */
const readsObjects =
  /\b(?:c?pickle|dill|cloudpickle|joblib|marshal|jsonpickle)\.(?:loads?|decode)\b|\bread_pickle\(|\btorch\.load\((?![^\n]*weights_only\s*=\s*True)|\bMarshal\.load\b|\bunserialize\(|\byaml\.(?:unsafe_load|full_load|load\((?![^\n]*Safe))|\bYAML\.(?:unsafe_load|load)\b|\ballow_pickle\s*=\s*True|\bObjectInputStream\b|\bBinaryFormatter\b/

/** True if code fetches a text from another machine and runs it. */
export function fetchesAndRuns({ does, text = '', language }: ShellCode): boolean {
  const code = uncommented(text)
  if (/\b(?:include|require)(?:_once)?\s*\(?\s*['"]https?:|\bimport\s*\(\s*['"]https?:/.test(code)) return true
  if (language === 'r' && /\bsource\s*\(\s*(?:url\s*\(\s*)?['"]https?:/.test(code)) return true
  if (!does.includes('network') && !fetching.test(code)) return false
  if (language === 'powershell' && savesAndStarts.test(code)) return true
  if (language === 'powershell')
    return /\b(?:iex|Invoke-Expression|Invoke-Command|icm)\b/i.test(code) || startsFetched.test(code)
  return does.includes('evaluates') || (fetching.test(code) && (runsText.test(code) || readsObjects.test(code)))
}

/** A program of PowerShell that is given what a variable, brackets or a pipe have: a name that is written out is none. */
const startsFetched =
  /\|\s*(?:&|Start-Process\b|saps\b)|(?:\b(?:Start-Process|saps)\b|(?:^|[;{])\s*&)[^;|\n]{0,400}[$({]/im

/** A file that is saved, and started behind it. */
const savesAndStarts =
  /(?:DownloadFile|-OutFile|Start-BitsTransfer)[^;\n]{0,400}?([\w-]{1,64}\.(?:exe|ps1|bat|cmd|msi|vbs|js|dll|hta))\b[^;\n]{0,80}[;\n][^]{0,400}?(?:^|[\s;\\/&.'"])\1/i

const runsText =
  /\b(?:exec|eval|compile|execfile|instance_eval|loadstring|passthru|shell_exec|Function|runInThisContext|runInNewContext)\s*[(`"']|\bos\.system\s*\(|\bshell\s*=\s*True|\bsystem\s*\(|\bexecSync\s*\(|\beval\b/

/** Lines of comments say nothing of what is done. */
const uncommented = (text: string) => text.replaceAll(/^\s*(?:#|\/\/).*$/gm, '')

/** A variable as the command of a process. */
const runsVariable =
  /\b(?:popen|system|exec|execSync|spawn|check_output|getoutput|call|run|eval|shell_exec|passthru)\s*\(\s*\$?[a-z_]\w*(?:\.\w+\(\))?\s*[,)]|`\$?\w+`/i

/** True if code connects a shell to a socket. */
export function shellsOut({ does, text = '' }: ShellCode): boolean {
  const code = uncommented(text)
  if (/\/inet\/(?:tcp|udp)\//.test(code)) return true
  const connects =
    /\bsocket\b|\bfsockopen\b|\bpfsockopen\b|\bTCPSocket\b|\bnet\.(?:connect|Socket|createConnection)\b|\brequire\(['"](?:node:)?net['"]\)|\bIO::Socket\b|\bTCPClient\b|\bSocket\(|\bsocket\.tcp\b|\bpty\.spawn\b.*\bsocket\b|\bnet\.Dial\b|\bws?s?:\/\//i
  const shell =
    /['"`](?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k|c|a)?sh\b[^'"`]*['"`]|\bcmd(?:\.exe)?['"]|\bpowershell|\bpty\.spawn\b|\bdup2\s*\(|\biex\b|\bInvoke-Expression\b/i
  // The socket is the shell's input: `s.pipe(sh.stdin)`.
  if (connects.test(code) && shell.test(code) && /\.pipe\(\s*\w+\.stdin\b/.test(code)) return true
  const starts = does.includes('starts') || does.includes('evaluates')
  const obeys =
    (/recv|receive|\bread\b|getline|gets/i.test(code) && runsVariable.test(code)) || /\beval\s*\(?\s*<\$\w+>/.test(code)
  if (connects.test(code) && obeys) return true
  return (
    connects.test(code) &&
    shell.test(code) &&
    (starts || /\bdup2\b|\bspawn\b|\bexecv?[lpe]*\b|\bpopen\b|\bsystem\b|\biex\b/i.test(code))
  )
}
