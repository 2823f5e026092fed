import { basename, join, resolve } from 'node:path'
import { ownFolder } from '../install/install.ts'
import type { Became } from '../../model/event.ts'
import {
  blocksOf,
  CallsUnderWay,
  msOf,
  objectAt,
  type RecordedCall,
  type SessionStore,
  snakeCall,
  sumOf,
} from '../transcripts.ts'
import { isJsonObject, type Json, type JsonObject, merged, textAt } from '../../model/json.ts'

/** The sessions of Claude Code, as of 2.1.329: a file for each session and each sub-agent, with a record on each line. */
export const sessionStores: readonly SessionStore[] = [
  {
    folders: (site) => [join(ownFolder({ ...site, cwd: site.home }, 'CLAUDE_CONFIG_DIR', '.claude'), 'projects')],
    // What is condensed for a long conversation repeats it.
    files: /\/projects\/[^/]+\/(?:[^/]+\/){0,16}(?!agent-acompact-)[^/]+\.jsonl$/,
    format: { kind: 'jsonLines' },
    owns: (record) => 'sessionId' in record && 'uuid' in record && 'userType' in record,
    read({ path }) {
      let mode = 'default'
      const calls = new CallsUnderWay()
      return (record) => {
        mode = textAt(record, 'permissionMode') ?? mode
        if (record['type'] === 'user') return afterwards(record, calls)
        if (record['type'] !== 'assistant') return []
        const agent = agentOf(record, path)
        return blocksOf(objectAt(record, 'message')['content'], 'tool_use').flatMap(({ id = null, name, input }) =>
          calls.began(
            id,
            snakeCall({
              path,
              sessionId: textAt(record, 'sessionId'),
              cwd: textAt(record, 'cwd'),
              time: textAt(record, 'timestamp'),
              name,
              input: withWholePaths(input, textAt(record, 'cwd')),
              more: { permission_mode: mode, tool_use_id: id, ...(agent !== undefined && { agent_id: agent }) },
            }),
          ),
        )
      }
    },
    tokens: {
      mark: '"usage"',
      // A message with several blocks has a record for each, with the same count or a later one.
      of: (record) => {
        const message = objectAt(record, 'message')
        if (record['type'] !== 'assistant' || !('usage' in message)) return []
        const counted = ['input_tokens', 'cache_creation_input_tokens', 'output_tokens']
        const tokens = sumOf(objectAt(message, 'usage'), counted)
        return [{ tokens, id: textAt(message, 'id'), atMs: msOf(textAt(record, 'timestamp')) }]
      },
      subagents: (file) => join(file.replace(/\.jsonl$/, ''), 'subagents'),
    },
  },
]

/** Returns what a record of the user's side says: how calls have ended, or a prompt. */
function afterwards(record: JsonObject, calls: CallsUnderWay): readonly RecordedCall[] {
  const { content } = objectAt(record, 'message')
  const time = textAt(record, 'timestamp')
  const results = blocksOf(content, 'tool_result')
  if (results.length > 0)
    return results.flatMap((block) => {
      // Hooks get the output as the tool made it, which a record of one result has.
      const said = (results.length === 1 ? record['toolUseResult'] : undefined) ?? block['content']
      return calls.ended(block['tool_use_id'], becameOf(block), { time, said })
    })
  const texts =
    typeof content === 'string' ? [content] : blocksOf(content, 'text').map((block) => textAt(block, 'text') ?? '')
  const isOfPerson = record['isMeta'] !== true && record['isSidechain'] !== true && record['isCompactSummary'] !== true
  const said = texts.filter((text) => !notOfPerson.test(text))
  return isOfPerson && said.length > 0 ? calls.prompted(time, said.join('\n')) : []
}

/** A call that did not begin has not failed: the person, a rule or the agent itself has refused it. */
function becameOf(block: JsonObject): Became | undefined {
  if (block['is_error'] !== true) return 'done'
  const { content } = block
  const text =
    typeof content === 'string'
      ? content
      : blocksOf(content, 'text')
          .map((one) => textAt(one, 'text') ?? '')
          .join('\n')
  return notBegun.test(text) ? undefined : 'failed'
}
const notBegun =
  /^(?:<tool_use_error>|The user doesn't want to|Permission to use|Claude requested permissions|\[Request interrupted)/
const notOfPerson = /^\s*(?:<(?!command-)|\[Request interrupted|Caveat: |This session is being continued|$)/

/** Hooks get the whole path of a file, whatever the model wrote. */
function withWholePaths(input: Json | undefined, cwd: string | undefined): Json | undefined {
  if (!isJsonObject(input) || cwd === undefined) return input
  const paths = ['file_path', 'notebook_path'].flatMap((key): [string, Json][] => {
    const path = textAt(input, key)
    return path === undefined ? [] : [[key, resolve(cwd, path)]]
  })
  return merged(input, Object.fromEntries(paths))
}

/** Returns a sub-agent's id: its records have it, or else its file's name has, `agent-<id>.jsonl`. */
function agentOf(record: JsonObject, path: string): string | undefined {
  if (record['isSidechain'] !== true) return undefined
  return textAt(record, 'agentId') ?? (/^agent-(.+)\.jsonl$/.exec(basename(path))?.[1] || 'unknown')
}
