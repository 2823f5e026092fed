const fileGuard = (id: string) => `import { abstains, definePolicy, denies, deny } from 'hookgate/policy'

export default definePolicy({
  id: '${id}',
  description: 'Keeps generated files from being edited by hand',
  severity: 'medium',
  on: 'PreToolUse',
  tool: ['write', 'edit', 'shell'],
  params: {
    folder: { type: 'string', default: 'generated/', description: 'The folder of generated files' },
  },
  decide({ paths, params }) {
    // Of a file tool, or of any command that a shell would run; inRoot is relative to the workspace.
    const file = paths.find(({ access, inRoot }) => access !== 'read' && \`\${inRoot}/\`.startsWith(params.folder))
    return file && deny(\`\${file.written} is generated: change what it is generated from\`)
  },
  examples: [
    {
      name: 'a generated file',
      given: { input: { path: 'generated/api.ts' } },
      want: { effect: 'deny', reason: 'generated/api.ts is generated: change what it is generated from' },
    },
    denies('a command that writes one', 'cd generated && sed -i s/a/b/ api.ts', { tool: 'shell' }),
    denies('the folder itself', 'rm -r generated', { tool: 'shell' }),
    abstains('reading one', 'cat generated/api.ts', { tool: 'shell' }),
    abstains('a folder of that name elsewhere', { input: { path: 'docs/generated/a.md' } }),
    denies('another folder, by the rules file', {
      input: { path: 'src/gen/api.ts' },
      params: { folder: 'src/gen/' },
    }),
  ],
})
`

const commandGuard = (id: string) => `import { abstains, definePolicy, denies, deny } from 'hookgate/policy'

export default definePolicy({
  id: '${id}',
  description: 'Leaves publishing to people',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    programs: { type: 'strings', default: ['npm', 'yarn'], description: 'Programs that publish' },
  },
  decide({ shell, params }) {
    // Every command that would run, wherever it stands: behind sudo, in a function, in the text of bash -c.
    const at = shell.commands.findIndex(
      ({ program, args }) => params.programs.includes(program) && args[0]?.value === 'publish',
    )
    return at < 0 ? undefined : deny('publishing is left to people: say that it is ready', { at })
  },
  examples: [
    {
      name: 'npm publish',
      given: { input: { command: 'npm publish --access public' } },
      want: { effect: 'deny', reason: 'publishing is left to people: say that it is ready' },
    },
    denies("sudo bash -c 'cd a && yarn publish'"),
    abstains('echo "npm publish"'),
    abstains('npm run publish'),
    abstains('npm'),
    abstains('cargo publish'),
    denies('another program, by the rules file', 'cargo publish', { params: { programs: ['cargo'] } }),
  ],
})
`

/** The kinds of tools that a template guards. */
export const guardedTools = ['write', 'shell'] as const
export type GuardedTool = (typeof guardedTools)[number]

/**
 * Templates by the kind of tool they guard: each returns a policy's source, valid as JavaScript and as TypeScript.
 *
 * Its examples cover all of it, and no mutant survives them.
 */
export const policyTemplates: Readonly<Record<GuardedTool, (id: string) => string>> = {
  write: fileGuard,
  shell: commandGuard,
}
