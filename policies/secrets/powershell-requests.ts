import { isSecretName, type ShellCommand, unknownPart } from 'hookgate/policy'
import { isMisdirected, isProvider } from './sent-variable.ts'

/** A variable that a request by PowerShell carries away. */
export interface Carried {
  readonly variable: string
  readonly host: string
  /** In what is sent, and not in a header to log in with. */
  readonly asData: boolean
}

const address = /\bhttps?:\/\/(?:[^\s/@"']*@)?([\w.-]+|\[[\d:a-f]+\])/i
/** Up to the next parameter: what is sent, and what says who asks. */
const sent = /\s-(?:body|form|infile)\s+((?:\(?@\{[^}]*\}|[^\n;])*?)(?=\s-[a-z]+(?:\s|$)|;|$)/i
const headers = /\s-headers?\s+((?:\(?@\{[^}]*\}|[^\n;])*?)(?=\s-[a-z]+(?:\s|$)|;|$)/i
const isHere = /^(?:localhost|127\.|\[?::1)|\.(?:local|localhost|internal)$/i

/** The code of PowerShell, or a cmdlet that was read as a command, with its variables as they were written. */
function textOf({ code, program, args }: ShellCommand): string {
  if (code?.language === 'powershell') return code.text ?? ''
  if (!/^(?:invoke-restmethod|irm|invoke-webrequest|iwr)$/i.test(program)) return ''
  return [program, ...args.map(({ value }) => value.replaceAll(`${unknownPart}:`, '$env:'))].join(' ')
}

/** What the variables of a text were set to. */
function settingsOf(part: string, code: string): string {
  const own = new Set([...part.matchAll(/\$\{?(?!env:)(\w{1,64})/gi)].map(([, name = '']) => name.toLowerCase()))
  return [...code.matchAll(/\$(\w{1,64})\s{0,9}=(?!=)\s{0,9}(\(?@\{[^}]{0,2000}\}|[^;\n]{0,2000})/g)]
    .filter(([, name = '']) => own.has(name.toLowerCase()))
    .map(([, , value = '']) => value)
    .join('\n')
}

/** The secret variables of the environment in a text, or in what its own variables were set to. */
function secretsIn(part: string, code: string): readonly string[] {
  const set = settingsOf(part, code)
  return [part, set, settingsOf(set, code)]
    .flatMap((text) => [...text.matchAll(/\$\{?env:(\w{1,64})/gi)].map(([, name = '']) => name))
    .filter(isSecretName)
}

/** Returns the secret variable that PowerShell sends as data, or to another's host to log in with. */
export function carriedByPowershell(command: ShellCommand): Carried | undefined {
  const text = textOf(command)
  for (const [, words = ''] of text.matchAll(/\b(?:invoke-restmethod|irm|invoke-webrequest|iwr)\b([^\n]{0,4000})/gi)) {
    const host = address.exec(words)?.[1]?.toLowerCase()
    if (host !== undefined && isHere.test(host)) continue
    const there = host ?? 'an unknown host'
    const data = secretsIn(sent.exec(words)?.[1] ?? '', text).find((one) => !isProvider(one, there))
    if (data !== undefined) return { variable: data, host: there, asData: true }
    if (host === undefined) continue
    const key = secretsIn(headers.exec(words)?.[1] ?? '', text).find((one) => isMisdirected(one, host))
    if (key !== undefined) return { variable: key, host, asData: false }
  }
  return undefined
}
