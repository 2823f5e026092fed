import { resolve } from 'node:path'
import { patchOf, textsOfEdit } from '../codec/edits.ts'
import { toolNameFor, toolRow } from '../tool-names.ts'
import type { ToolFields } from '../tools.ts'
import type { ToolUse, AgentName } from '../../model/event.ts'
import { type Json, type JsonObject, merged, textAt, textsAt } from '../../model/json.ts'
import { mcpArguments } from '../../tools/mcp-call.ts'

/** A tool call in one agent's format. */
interface EncodedCall {
  readonly name: string
  readonly input: JsonObject
}

/**
 * Translates a call into calls of another agent's tools, one for each file that it touches.
 *
 * Returns none if the call lacks a field that the other tool requires: a hook that guards paths would otherwise get no
 * path and let it pass.
 */
export function callsFor(target: AgentName, caller: AgentName, tool: ToolUse, cwd: string): readonly EncodedCall[] {
  const asItIs = [{ name: tool.name, input: tool.input }]
  if (caller === target) return asItIs
  if (tool.kind === 'mcp') return [{ name: tool.name, input: mcpArguments(tool.input) }]
  const theirs = toolRow(caller, tool.name, tool.kind)
  const name = theirs && toolNameFor(target, theirs)
  if (theirs === undefined || name === undefined) return asItIs
  const ours = toolRow(target, name, tool.kind)?.fields[target] ?? {}
  return inputsOf(tool, theirs.fields[caller] ?? {}, ours, cwd).map((input) => ({ name, input }))
}

function inputsOf(tool: ToolUse, theirs: ToolFields, ours: ToolFields, cwd: string): readonly JsonObject[] {
  const { command, url, content = '', path, input } = tool
  const absolute = (file: string) => resolve(cwd, file)
  const files = tool.paths ?? (path === undefined ? [] : [path])
  const inFolder = field(ours.path, path === undefined ? undefined : absolute(path))

  switch (tool.kind) {
    case 'shell':
      return required(ours.command, command)
    case 'read':
      return files.map((file) => field(ours.path, absolute(file)))
    case 'write':
      return files.map((file) =>
        ours.patch === undefined
          ? merged(field(ours.path, absolute(file)), field(ours.content, content))
          : field(ours.patch, patchOf(absolute(file), undefined, content)),
      )
    case 'edit':
      return files.map((file) => {
        const { removed, added } = textsOfEdit(tool, file, theirs)
        if (ours.patch !== undefined) return field(ours.patch, patchOf(absolute(file), removed, added))
        return merged(field(ours.path, absolute(file)), field(ours.replaced, removed), field(ours.content, added))
      })
    case 'search': {
      const [first, ...others] = textsAt(input, theirs.glob)
      const glob = others.length === 0 ? first : `{${[first, ...others].join(',')}}`
      return required(ours.pattern, textAt(input, theirs.pattern) ?? alternatives(input['queries'])).map((one) =>
        merged(one, inFolder, field(ours.glob, glob)),
      )
    }
    case 'list': {
      const globs = textsAt(input, theirs.glob)
      const whole = isSet(input['recursive']) ? '**/*' : '*'
      return (globs.length === 0 ? [whole] : globs).map((glob) => merged(listed(ours, 'glob', glob), inFolder))
    }
    case 'fetch':
      return url === undefined || ours.url === undefined
        ? []
        : [merged(field(ours.prompt, textAt(input, theirs.prompt)), listed(ours, 'url', url))]
    case 'websearch':
      return required(ours.pattern, textAt(input, theirs.pattern))
    case 'agent':
      return [field(ours.content, content)]
    case 'browser':
    case 'mcp':
    case 'other':
      return [input]
  }
}

const field = (key: string | undefined, value: string | undefined): JsonObject =>
  key === undefined || value === undefined ? {} : { [key]: value }

/** Returns the value as a text or as a list of one, as the tool takes it. */
function listed({ lists = [], ...keys }: ToolFields, name: 'glob' | 'url', value: string): JsonObject {
  const key = keys[name]
  return key === undefined ? {} : { [key]: lists.includes(name) ? [value] : value }
}

/** Classic Cline takes its parameters from XML, so they are all strings. */
const isSet = (flag: Json | undefined) => flag === true || flag === 'true'

/** Cline's SDK searches for several patterns in one call. */
function alternatives(queries: Json | undefined): string | undefined {
  const texts = textsAt({ queries: queries ?? null }, 'queries')
  return texts.length === 0 ? undefined : texts.join('|')
}

const required = (key: string | undefined, value: string | undefined): readonly JsonObject[] =>
  key === undefined || value === undefined ? [] : [{ [key]: value }]
