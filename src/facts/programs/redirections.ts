import type { ShellRedirection } from '../../model/shell.ts'
import { unknownPart } from '../../model/shell.ts'
import type { Doing } from './doing.ts'

/** Files that a redirection opens, and the connections that bash makes of `/dev/tcp/HOST/PORT`. */
export function redirect({ operator, target }: ShellRedirection, doing: Doing): void {
  if (target === undefined || operator === '<<' || operator === '<<<') return
  const socket = socketHost(target.value)
  if (socket !== undefined) {
    const direction = operator === '<' ? 'receive' : operator === '<>' ? 'both' : 'send'
    doing.network({ direction, ...(socket !== '' && !socket.includes(unknownPart) && { host: socket }) })
    return
  }
  if (operator === '<') doing.touch(target, 'read')
  else if (operator === '>') doing.touch(target, 'write')
  else if (operator === '>>') doing.touch(target, 'append')
  else doing.touch(target, 'edit')
}

/** The host of bash's own network paths. */
function socketHost(path: string): string | undefined {
  return /^\/dev\/(?:tcp|udp)\/([^/]*)/.exec(path)?.[1]
}
