import { readOptions, setOf, type ShellCommand } from 'hookgate/policy'
import { isInterpreter, isShell } from './runners.ts'

const netcats = setOf(['nc', 'ncat', 'netcat', 'nc.traditional', 'nc.openbsd', 'cryptcat', 'pwncat', 'dbd', 'sbd'])

/** Programs that may connect a shell to a network peer. */
export const listeners: readonly string[] = [
  ...netcats.members,
  'socat socat1 telnetd in.telnetd rshd ttyd gotty pwncat-cs gs-netcat msfvenom msfconsole',
]

const programOf = (text: string) =>
  text
    .trim()
    .split(/[\s,]/, 1)[0]
    ?.replace(/^["']|["']$/g, '')
    .replace(/^.*[/\\]/, '')
    .replace(/\.exe$/i, '')
    .toLowerCase() ?? ''

/** True if a text starts a shell without a script, which reads its commands from its input. */
const isBareShell = (text: string) =>
  (isShell({ program: programOf(text) }) || isInterpreter({ program: programOf(text) })) && !/\s-\w*c\b/.test(text)

/** True if a program's arguments connect a shell to a network peer. */
export function startsShell({ program, args }: ShellCommand): boolean {
  if (netcats.has(program)) {
    const valued = 'e c exec sh-exec lua-exec p s w i q g G o x m d T I O'.split(' ')
    return readOptions(args, { valued })
      .values('e', 'c', 'exec', 'sh-exec')
      .some(({ value }) => isBareShell(value))
  }
  if (program === 'socat' || program === 'socat1') {
    return args.some(({ value }) => {
      const [, address = ''] = /^(?:exec|system|shell):(.*)$/is.exec(value) ?? []
      return isBareShell(address)
    })
  }
  if (
    program === 'telnetd' ||
    program === 'in.telnetd' ||
    program === 'rshd' ||
    program === 'ttyd' ||
    program === 'gotty'
  )
    return true
  if (program === 'pwncat-cs' || program === 'gs-netcat' || program === 'msfvenom' || program === 'msfconsole')
    return true
  return false
}
