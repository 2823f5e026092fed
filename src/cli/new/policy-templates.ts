/** The events with a policy template. */
export const policyEvents = ['PreToolUse', 'UserPromptSubmit'] as const
export type PolicyEvent = (typeof policyEvents)[number]

/** The tools with a guard template. */
export const guardedTools = ['write', 'shell'] as const
export type GuardedTool = (typeof guardedTools)[number]

/**
 * Returns a policy with a param, with a fact or shell facts, and with examples for both outcomes of each condition. Its
 * coverage is complete and no mutant survives. The source is valid JavaScript and TypeScript.
 */
export function policySource(id: string, event: PolicyEvent, tool: GuardedTool): string {
  switch (event) {
    case 'PreToolUse':
      return tool === 'shell' ? commandGuard(id) : fileGuard(id)
    case 'UserPromptSubmit':
      return context(id)
  }
}

const commandGuard = (id: string) => `import { definePolicy, deny, readOptions } from 'hookgate/policy'

export default definePolicy({
  id: '${id}',
  description: 'Leaves publishing to people',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    programs: { type: 'strings', default: ['npm', 'pnpm', 'yarn'], description: 'Programs that publish' },
  },
  decide({ shell, params }) {
    // Every command that would run, wherever it stands: behind sudo, in a function, in the text of bash -c.
    for (const [at, command] of shell.commands.entries()) {
      if (!params.programs.includes(command.program)) continue
      const { operands, has } = readOptions(command.args)
      if (operands[0]?.value !== 'publish' || has('dry-run')) continue
      return deny('publishing is left to people: say that it is ready, and let them do it', { at })
    }
    return undefined
  },
  examples: [
    {
      name: 'npm publish',
      given: { input: { command: 'npm publish --access public' } },
      want: { effect: 'deny', reason: 'publishing is left to people: say that it is ready, and let them do it' },
    },
    { name: 'a dry run', given: { input: { command: 'npm publish --dry-run' } }, want: 'abstain' },
    { name: 'behind another command', given: { input: { command: 'npm test && pnpm publish' } }, want: 'deny' },
    { name: 'in a shell of its own', given: { input: { command: "sudo bash -c 'cd a && yarn publish'" } }, want: 'deny' },
    { name: 'in a text', given: { input: { command: 'echo "npm publish"' } }, want: 'abstain' },
    { name: 'a script of that name', given: { input: { command: 'npm run publish' } }, want: 'abstain' },
    { name: 'no command at all', given: { input: {} }, want: 'abstain' },
    { name: 'nothing but the program', given: { input: { command: 'npm' } }, want: 'abstain' },
    { name: 'another program', given: { input: { command: 'cargo publish' } }, want: 'abstain' },
    {
      name: 'another program, by the rules file',
      given: { input: { command: 'cargo publish' }, params: { programs: ['cargo'] } },
      want: 'deny',
    },
  ],
})
`

const fileGuard = (id: string) => `import { definePolicy, deny } from 'hookgate/policy'

export default definePolicy({
  id: '${id}',
  description: 'Keeps generated files from being edited by hand',
  severity: 'medium',
  on: 'PreToolUse',
  tool: ['write', 'edit', 'shell'],
  params: {
    folder: { type: 'string', default: 'generated/', description: 'The folder of generated files' },
  },
  facts: {
    generator: { exists: 'codegen.json' },
  },
  decide({ paths, facts, params }) {
    if (!facts.generator) return undefined
    // Of a file tool, or of any command that a shell would run; inRoot is relative to the workspace.
    const generated = paths.find(
      ({ access, inRoot }) => access !== 'read' && \`\${inRoot}/\`.startsWith(params.folder),
    )
    if (generated === undefined) return undefined
    return deny(\`\${generated.written} is generated: change codegen.json and regenerate it\`)
  },
  examples: [
    {
      name: 'a generated file',
      given: { input: { path: 'generated/api.ts' }, facts: { generator: true } },
      want: { effect: 'deny', reason: 'generated/api.ts is generated: change codegen.json and regenerate it' },
    },
    {
      name: 'by its whole path, in the second of two workspaces',
      given: { input: { path: '/b/generated/api.ts' }, workspaceRoots: ['/a', '/b'], facts: { generator: true } },
      want: 'deny',
    },
    {
      name: 'by a command, among others',
      given: { tool: 'shell', input: { command: 'cd generated && ls && sed -i s/a/b/ api.ts' }, facts: { generator: true } },
      want: 'deny',
    },
    {
      name: 'the folder itself',
      given: { tool: 'shell', input: { command: 'rm -r generated' }, facts: { generator: true } },
      want: 'deny',
    },
    {
      name: 'by a command that only reads it',
      given: { tool: 'shell', input: { command: 'cat generated/api.ts' }, facts: { generator: true } },
      want: 'abstain',
    },
    {
      name: 'a file of that name elsewhere',
      given: { input: { path: 'docs/generated/api.ts' }, facts: { generator: true } },
      want: 'abstain',
    },
    {
      name: 'a file outside of the workspace',
      given: { input: { path: '/backup/generated/api.ts' }, facts: { generator: true } },
      want: 'abstain',
    },
    {
      name: 'a project that generates nothing',
      given: { input: { path: 'generated/api.ts' }, facts: { generator: false } },
      want: 'abstain',
    },
    {
      name: 'another folder, by the rules file',
      given: { input: { path: 'src/gen/api.ts' }, facts: { generator: true }, params: { folder: 'src/gen/' } },
      want: 'deny',
    },
    {
      name: 'a tool that names no file',
      given: { input: {}, facts: { generator: true } },
      want: 'abstain',
    },
  ],
})
`

const context = (id: string) => `import { context, definePolicy } from 'hookgate/policy'

export default definePolicy({
  id: '${id}',
  description: 'Adds the coding standards to prompts that need them',
  on: 'UserPromptSubmit',
  params: {
    word: { type: 'string', default: 'component', description: 'The word by which such a prompt is recognized' },
  },
  facts: {
    standards: { text: 'docs/coding-standards.md' },
  },
  decide({ event, facts, params }) {
    if (facts.standards && event.prompt?.includes(params.word)) {
      return context(\`CODING_STANDARDS: \${facts.standards}\`)
    }
  },
  examples: [
    {
      name: 'a prompt about components',
      given: { prompt: 'add a component for the menu', facts: { standards: 'no classes' } },
      want: { context: 'CODING_STANDARDS: no classes' },
    },
    {
      name: 'a prompt about something else',
      given: { prompt: 'fix the build', facts: { standards: 'no classes' } },
      want: 'abstain',
    },
    {
      name: 'a project without standards',
      given: { prompt: 'add a component for the menu' },
      want: 'abstain',
    },
    {
      name: 'another word, by the rules file',
      given: { prompt: 'add a widget', facts: { standards: 'no classes' }, params: { word: 'widget' } },
      want: 'context',
    },
    {
      name: 'an event without a prompt',
      given: { facts: { standards: 'no classes' } },
      want: 'abstain',
    },
  ],
})
`
