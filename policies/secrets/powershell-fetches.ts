import type { ShellCommand } from 'hookgate/policy'

/** Commands of PowerShell that send: a request with a body, an upload, a mail. */
export const handsByPowershell =
  /\s-(?:body|infile|form|method\s+["']?(?:post|put|patch))\b|\.upload(?:string|data|file|values)|\b(?:post|put)async\b|\bsend-mailmessage\b|\bcurl(?:\.exe)?\s[^|;\n]{0,200}\s(?:-[dTF]|--data\S*|--form|--upload-file)\b/i

/** A request whose address is written out, and which nothing goes along with. */
const fetching = /^[^$|]{0,400}\bhttps?:\/\/[^\s"'$]{1,400}["']?[^$|]{0,400}$/i

/** True if code of PowerShell gets pages and nothing else: what it reads besides goes nowhere. */
export function onlyFetches({ code }: ShellCommand): boolean {
  const text = code?.language === 'powershell' ? (code.text ?? '') : ''
  const found = [...text.matchAll(/\b(?:invoke-webrequest|iwr|invoke-restmethod|irm)\b([^;|\n}]*)/gi)]
  return (
    found.length > 0 &&
    found.every(([, words = '']) => fetching.test(words)) &&
    !handsByPowershell.test(text) &&
    !/\|\s*(?:invoke-webrequest|iwr|invoke-restmethod|irm)\b|\bNet\.|\bHttpClient\b|\bbitstransfer\b/i.test(text)
  )
}
