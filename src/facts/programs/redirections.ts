import { type ShellRedirection, unknownPart } from '../../model/shell.ts'
import type { EffectRecorder } from './effects.ts'

/** Records the file that a redirection opens, or the connection that bash makes for `/dev/tcp/HOST/PORT`. */
export function redirect({ operator, target }: ShellRedirection, recorder: EffectRecorder): void {
  if (target === undefined || operator === '<<' || operator === '<<<') return
  const socket = socketHost(target.value)
  if (socket !== undefined) {
    const direction = operator === '<' ? 'receive' : operator === '<>' ? 'both' : 'send'
    recorder.network({ direction, ...(socket !== '' && !socket.includes(unknownPart) && { host: socket }) })
    return
  }
  if (operator === '<') recorder.touch(target, 'read')
  else if (operator === '>') recorder.touch(target, 'write')
  else if (operator === '>>') recorder.touch(target, 'append')
  else recorder.touch(target, 'edit')
}

/** Returns the host of bash's network paths. */
function socketHost(path: string): string | undefined {
  return /^\/dev\/(?:tcp|udp)\/([^/]*)/.exec(path)?.[1]
}
