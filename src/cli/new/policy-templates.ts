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
    {
      name: 'a command that writes one',
      given: { tool: 'shell', input: { command: 'cd generated && sed -i s/a/b/ api.ts' } },
      want: 'deny',
    },
    { name: 'the folder itself', given: { tool: 'shell', input: { command: 'rm -r generated' } }, want: 'deny' },
    { name: 'reading one', given: { tool: 'shell', input: { command: 'cat generated/api.ts' } }, want: 'abstain' },
    { name: 'a folder of that name elsewhere', given: { input: { path: 'docs/generated/a.md' } }, want: 'abstain' },
    {
      name: 'another folder, by the rules file',
      given: { input: { path: 'src/gen/api.ts' }, params: { folder: 'src/gen/' } },
      want: 'deny',
    },
  ],
})
`

const commandGuard = (id: string) => `import { definePolicy, deny } from 'hookgate/policy'

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
    { name: 'in a shell of its own', given: { input: { command: "sudo bash -c 'cd a && yarn publish'" } }, want: 'deny' },
    { name: 'in a text', given: { input: { command: 'echo "npm publish"' } }, want: 'abstain' },
    { name: 'a script of that name', given: { input: { command: 'npm run publish' } }, want: 'abstain' },
    { name: 'another program', given: { input: { command: 'cargo publish' } }, want: 'abstain' },
    { name: 'only the program', given: { input: { command: 'npm' } }, want: 'abstain' },
    {
      name: 'another program, by the rules file',
      given: { input: { command: 'cargo publish' }, params: { programs: ['cargo'] } },
      want: 'deny',
    },
  ],
})
`

/**
 * Templates by the kind of tool they guard: each returns a policy's source, valid as JavaScript and as TypeScript.
 *
 * Its examples cover all of it, and no mutant survives them.
 */
export const policyTemplates: Readonly<Record<'write' | 'shell', (id: string) => string>> = {
  write: fileGuard,
  shell: commandGuard,
}
