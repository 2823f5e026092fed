import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Call } from './model/script.ts'
import { fieldsOf } from './model/wire.ts'
import { sampleOf, toolsOffered } from './offered.ts'
import { type Pinned, programOf } from './pins.ts'
import { type Setup, setups } from './setups.ts'
import { type Inside, type Ran, type World, worldOf } from './world.ts'

const Recorded = z.looseObject({ toolName: z.string().optional() })

type Sample = Readonly<Record<string, unknown>>
const questions = [
  { question: 'Which?', header: 'x', options: ['a', 'b'].map((label) => ({ label, description: label })) },
]

/** Inputs that a program accepts where what its schema requires does not suffice. */
const samples: { readonly [Agent in Pinned]?: Readonly<Record<string, Sample>> } = {
  'claude-code': {
    Read: { file_path: 'a.txt' },
    Edit: { file_path: 'a.txt', old_string: 'a', new_string: 'b' },
    Skill: { skill: 'deploy' },
    CronCreate: { cron: '0 0 1 1 *', prompt: 'x' },
    Workflow: { script: "export const meta = { name: 'x', description: 'x', phases: [] }\nreturn 1\n" },
  },
  'qwen-code': {
    tool_call: { name: 'list_directory', arguments: { path: '.' } },
    skill: { skill: 'deploy' },
    notebook_edit: { notebook_path: 'a.ipynb', cell_id: 'a', new_source: 'x' },
    edit: { file_path: 'a.txt', old_string: 'a', new_string: 'b' },
  },
  'kimi-code': {
    // Once, and in less than a minute: the program does not end before.
    CronCreate: { cron: '* * * * *', prompt: 'x', recurring: false },
    CronDelete: { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' },
    Edit: { path: 'a.txt', old_string: 'a', new_string: 'b' },
    Skill: { skill: 'deploy' },
    AskUserQuestion: { questions },
  },
  'gemini-cli': {
    replace: { file_path: 'a.txt', instruction: 'x', old_string: 'a', new_string: 'b' },
    web_fetch: { prompt: 'read http://127.0.0.1:9/x' },
    read_file: { file_path: 'a.txt' },
    invoke_agent: { agent_name: 'generalist', prompt: 'x' },
  },
  opencode: {
    skill: { name: 'deploy' },
    edit: { filePath: 'a.txt', oldString: 'a', newString: 'b' },
    todowrite: { todos: [{ content: 'x', status: 'pending', priority: 'low', id: '1' }] },
  },
  kilo: { skill: { name: 'deploy' } },
}

/** Tools of which no hook is told, though a call of them is valid. `docs/agents.md` says so. */
const untold: { readonly [Agent in Pinned]?: readonly string[] } = {
  // What stands for tools that are loaded later, and is none; and what it refuses by itself, since there is no such task.
  'claude-code': ['DeferredToolPlaceholder', 'TaskStop'],
  // A title, and no more; what the call behind is asked about; and what it offers, and says is not there.
  'grok-build': ['session_title', 'use_tool', 'wait_commands_or_subagents'],
  // Not called with an input that they take; of what is behind `tool_call`, hooks are told.
  'gemini-cli': ['exit_plan_mode'],
  'qwen-code': ['tool_call', 'zoom_image'],
  // The call behind it is asked about.
  openclaw: ['tool_call'],
}

/** Tools that end a turn, wait for somebody, or change what may be called (Kimi Code's plan ends no task): at the end. */
const last =
  /edit|replace|ask(?!stop)|question|plan|wait|sleep|agent|task(?!stop)|workflow|swarm|goal|send_feedback|yield/i

const files = {
  'a.txt': 'a\n',
  'a.ipynb':
    '{"cells":[{"id":"a","cell_type":"code","source":[],"metadata":{},"outputs":[]}],"metadata":{},"nbformat":4,"nbformat_minor":5}',
  ...Object.fromEntries(
    ['.claude', '.qwen', '.kimi-code', '.opencode', '.kilo'].map((folder) => [
      `${folder}/skills/deploy/SKILL.md`,
      '---\nname: deploy\ndescription: deploys\n---\nDeploy.\n',
    ]),
  ),
}

const isHere = ({ agent, flags }: Setup) => flags.length === 0 && agent !== 'codex' && programOf(agent) !== undefined

describe.each(setups.filter(isHere))('hookgate, behind $title', ({ agent, flags }) => {
  let world: World
  beforeAll(async () => {
    world = await worldOf(agent, flags)
  })
  afterAll(() => world.close())

  it('is asked about a call of every tool that the program offers its model', async () => {
    let inside: Inside | undefined
    // Some tools have others offered, which come behind.
    const order: string[] = []
    const offered = () => new Map((inside?.heard() ?? []).flatMap(toolsOffered).map((tool) => [tool.name, tool.schema]))
    const call = (tool: string): Call => {
      const given = samples[agent]?.[tool] ?? fieldsOf(sampleOf(offered().get(tool)))
      return { tool, input: absolute(given, inside?.project ?? '') }
    }
    const ran = await world.run((within) => {
      inside = within
      return {
        // Only the first request says which tools there are. An error of one call may end those beside it.
        get main() {
          const added = [...offered().keys()].filter((name) => !order.includes(name))
          order.push(...added.filter((name) => !last.test(name)), ...added.filter((name) => last.test(name)))
          return order.map((name) => ({ calls: [call(name)] }))
        },
      }
    }, files)
    const { stdout } = await world.cli(['log', '--json', '--limit', 'all', '--event', 'PreToolUse'])
    const rows = stdout.split('\n').filter((line) => line !== '')
    const heard = new Set(rows.flatMap((line) => Recorded.parse(JSON.parse(line)).toolName ?? []))
    const missing = order.slice(0, turnsIn(ran)).filter((name) => !heard.has(name))
    expect(missing).toEqual(untold[agent] ?? [])
  })
})

/** How many turns the model was heard in: a tool may end the run, so that those behind it are not called. */
function turnsIn({ asked }: Ran): number {
  const ids = asked.flatMap((body) => [...body.matchAll(/call_?t(\d+)/g)].map(([, at]) => Number(at) + 1))
  // Calls of Gemini have no ids.
  return Math.max(0, ...ids, (asked.at(-1) ?? '').split('"functionCall"').length - 1)
}

/** Some tools take no relative paths. */
const absolute = (input: Sample, project: string): Sample =>
  Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      typeof value === 'string' && /^(?:a|new)\.\w+$/.test(value) ? `${project}/${value}` : value,
    ]),
  )
