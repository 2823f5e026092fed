import type { Impact } from '../../../model/impact.ts'
import { doings } from './doings.ts'
import { impactOf, type ToolImpactFound } from './found.ts'
import { messageSent } from './messages.ts'
import { systemChange } from './systems.ts'
import { type NamedTool, readCall, type ServerCall } from './tool.ts'

/** Returns what the call of a server's tool would do, by the words of its name and the fields of its input. */
export function impactsOfTool(tool: NamedTool): readonly Impact[] {
  const call = readCall(tool)
  const inArea = (area: Impact['area'], found: ToolImpactFound | undefined) =>
    found === undefined ? [] : [impactOf(call, area, found)]
  return [
    ...(call.serverName === '' ? [] : inArea('mcp-tools', doingOf(call))),
    ...inArea('mcp-systems', systemChange(call)),
    ...(call.serverName === '' ? [] : inArea('outgoing-messages', messageSent(call))),
  ]
}

function doingOf(call: ServerCall): ToolImpactFound | undefined {
  for (const { find, whereOnlyLooked } of doings) {
    const found = call.onlyLooks && whereOnlyLooked !== true ? undefined : find(call)
    if (found !== undefined) return found
  }
  return undefined
}
