import type { RemoteHandler } from '../model/rule.ts'

/** Says which server a rule asks. */
export function serverText({ asks, server }: RemoteHandler): string {
  return asks.kind === 'gate' ? `asks the gate at ${server.url}` : `asks ${server.url} by AuthZEN`
}
