import { type ShellCommand, type ShellSent, unknownPart } from '../../model/shell.ts'
import { namesOfRequest } from '../programs/table.ts'
import { listsVariables } from '../../words/variables.ts'

/** Returns a pattern of the cmdlets that ask for something over HTTP. */
const requests = (): string => String.raw`\b(?:${namesOfRequest('powershell').join('|')})\b`

/** Commands of PowerShell that send: a request with a body, an upload, a mail. */
const sending =
  /\s-(?:body|infile|form|method\s+["']?(?:post|put|patch))\b|\.upload(?:string|data|file|values)|\b(?:post|put)async\b|\bsend-mailmessage\b|\bcurl(?:\.exe)?\s[^|;\n]{0,200}\s(?:-[dTF]|--data\S*|--form|--upload-file)\b/i

/** A request whose address is written out, and which nothing goes along with. */
const fetching = /^[^$|]{0,400}\bhttps?:\/\/[^\s"'$]{1,400}["']?[^$|]{0,400}$/i

/** Tells whether code of PowerShell gets pages and nothing else: what it reads besides goes nowhere. */
function onlyFetches(text: string): boolean {
  const found = [...text.matchAll(new RegExp(`${requests()}([^;|\\n}]*)`, 'gi'))]
  return (
    found.length > 0 &&
    found.every(([, words = '']) => fetching.test(words)) &&
    !sending.test(text) &&
    !new RegExp(String.raw`\|\s*${requests()}|\bNet\.|\bHttpClient\b|\bbitstransfer\b`, 'i').test(text)
  )
}

const address = /\bhttps?:\/\/(?:[^\s/@"']*@)?([\w.-]+|\[[\d:a-f]+\])/i
/** Up to the next parameter: what is sent, and what says who asks. */
const body = /\s-(?:body|form|infile)\s+((?:\(?@\{[^}]*\}|[^\n;])*?)(?=\s-[a-z]+(?:\s|$)|;|$)/i
const headers = /\s-headers?\s+((?:\(?@\{[^}]*\}|[^\n;])*?)(?=\s-[a-z]+(?:\s|$)|;|$)/i

/** Returns what the variables of a text were set to. */
function settingsOf(part: string, code: string): string {
  const own = new Set([...part.matchAll(/\$\{?(?!env:)(\w{1,64})/gi)].map(([, name = '']) => name.toLowerCase()))
  return [...code.matchAll(/\$(\w{1,64})\s{0,9}=(?!=)\s{0,9}(\(?@\{[^}]{0,2000}\}|[^;\n]{0,2000})/g)]
    .filter(([, name = '']) => own.has(name.toLowerCase()))
    .map(([, , value = '']) => value)
    .join('\n')
}

/** Returns the variables of the environment in a text, or in what its own variables were set to. */
function variablesIn(part: string, code: string): readonly string[] {
  const set = settingsOf(part, code)
  return [part, set, settingsOf(set, code)].flatMap((text) =>
    [...text.matchAll(/\$\{?env:(\w{1,64})/gi)].map(([, name = '']) => name),
  )
}

function sentByPowershell(text: string): readonly ShellSent[] {
  const isOfAll = listsVariables.test(text) && sending.test(text) && !/:\/\/(?:localhost|127\.|\[::1)/i.test(text)
  const named = [...text.matchAll(new RegExp(String.raw`${requests()}([^\n]{0,4000})`, 'gi'))].flatMap(
    ([, words = '']): readonly ShellSent[] => {
      const host = address.exec(words)?.[1]?.toLowerCase()
      const sent = (part: string | undefined, as: ShellSent['as']) =>
        variablesIn(part ?? '', text).map((variable) =>
          Object.assign({ variable, as }, host === undefined ? {} : { host }),
        )
      return sent(body.exec(words)?.[1], 'data').concat(sent(headers.exec(words)?.[1], 'login'))
    },
  )
  return [...(isOfAll ? [{ as: 'data' as const }] : []), ...named]
}

const allVariables =
  /\bos\.environ\b(?!\s*(?:\.get\b|\.setdefault\b|\[|\.pop\b))|\bprocess\.env\b(?!\s*(?:\.|\[|\?\.))|\bENV\.to_(?:h|a|s|json)\b|\bgetenv\(\)|\b(?:values|keys)?\s*%ENV\b/
const hands = /\b(?:post|put|send|sendall|write|end|body|data|json|urlopen|fetch|request|file_get_contents)\b/i
/** Variables that are given to a started program, and not sent. */
const forProgram =
  /\benv\s{0,9}[=:]\s{0,9}(?:dict\()?\{?\s{0,9}(?:\.{3}|\*\*)?\s{0,9}(?:os\.environ|process\.env)\b(?:\.copy\(\))?/

function sendsAll(text: string): boolean {
  const rest = text.replace(forProgram, '')
  return allVariables.test(rest) && hands.test(rest)
}

/** Returns which variables inline code, or a cmdlet of PowerShell, sends; and that it only gets pages, if it does. */
export function sentOf({
  code,
  request,
  program,
  args,
  network,
  sends: found = [],
}: ShellCommand): Pick<ShellCommand, 'sends' | 'network'> {
  // A cmdlet that was read as a command has its variables as they were written.
  const cmdlet = () => [program, ...args.map(({ value }) => value.replaceAll(`${unknownPart}:`, '$env:'))].join(' ')
  const text = code?.text ?? (request === 'powershell' ? cmdlet() : '')
  if (text === '') return {}
  if (code !== undefined && code.language !== 'powershell')
    return code.does.includes('network') && sendsAll(text) ? { sends: [{ as: 'data' }, ...found] } : {}
  const sends = sentByPowershell(text)
  return {
    ...(sends.length > 0 && { sends }),
    ...(network !== undefined &&
      code !== undefined &&
      onlyFetches(text) && { network: { ...network, direction: 'receive' } }),
  }
}
