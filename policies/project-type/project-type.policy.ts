import { abstains, context, definePolicy, setOf } from 'hookgate/policy'

const kinds = setOf(['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'])

/** The packages that a `package.json` depends on; none where it is no such file. */
function dependenciesOf(manifest: unknown): ReadonlySet<string> {
  const lists = entriesOf(manifest).filter(([kind]) => kinds.has(kind))
  return new Set(lists.flatMap(([, list]) => entriesOf(list).map(([name]) => name)))
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

export default definePolicy({
  id: 'project-type',
  description: 'Tells the model at the start of a session what kind of project this is',
  on: 'SessionStart',
  facts: {
    manifest: { json: 'package.json' },
    node: { exists: 'package.json' },
    tsconfig: { exists: 'tsconfig.json' },
    pyproject: { exists: 'pyproject.toml' },
    requirements: { exists: 'requirements.txt' },
    cargo: { exists: 'Cargo.toml' },
    goMod: { exists: 'go.mod' },
  },
  // The policy only advises: a session can begin without it.
  onFailure: 'continue',
  decide({ facts }) {
    const rules: string[] = []
    if (facts.node) {
      const dependencies = dependenciesOf(facts.manifest)
      if (dependencies.has('react')) rules.push('React application detected. Follow component-based architecture.')
      else if (dependencies.has('express')) rules.push('Express.js API detected. Follow RESTful patterns.')
      else rules.push('Node.js project detected.')
    }
    if (facts.tsconfig) rules.push('Use TypeScript.')
    if (facts.pyproject || facts.requirements) rules.push('Python project detected. Follow PEP 8 standards.')
    if (facts.cargo) rules.push('Rust project detected. Follow Rust conventions.')
    if (facts.goMod) rules.push('Go project detected. Follow Effective Go.')
    return rules.length === 0 ? undefined : context(`WORKSPACE_RULES: ${rules.join(' ')}`)
  },
  examples: [
    {
      name: 'React',
      given: { facts: { node: true, manifest: { dependencies: { express: '5', react: '19' } } } },
      want: { context: 'WORKSPACE_RULES: React application detected. Follow component-based architecture.' },
    },
    {
      name: 'React of a library',
      given: { facts: { node: true, manifest: { peerDependencies: { react: '19' } } } },
      want: { context: 'React application' },
    },
    {
      name: 'Express',
      given: { facts: { node: true, manifest: { dependencies: { express: '5' } } } },
      want: { context: 'WORKSPACE_RULES: Express.js API detected. Follow RESTful patterns.' },
    },
    {
      name: 'Express in tests',
      given: { facts: { node: true, manifest: { devDependencies: { express: '5' } } } },
      want: { context: 'Express.js' },
    },
    {
      name: 'Express where there is room for it',
      given: { facts: { node: true, manifest: { optionalDependencies: { express: '5' } } } },
      want: { context: 'Express.js' },
    },
    {
      name: 'Node.js, and nothing that only mentions React',
      given: { facts: { node: true, manifest: { scripts: { react: 'x' }, dependencies: { 'react-like': '1' } } } },
      want: { context: 'WORKSPACE_RULES: Node.js project detected.' },
    },
    {
      name: 'a package.json that cannot be read',
      given: { facts: { node: true } },
      want: { context: 'WORKSPACE_RULES: Node.js project detected.' },
    },
    {
      name: 'a package.json that is none',
      given: { facts: { node: true, manifest: { dependencies: null } } },
      want: { context: 'Node.js' },
    },
    {
      name: 'a package.json that is a text',
      given: { facts: { node: true, manifest: 'react' } },
      want: { context: 'Node.js' },
    },
    {
      name: 'TypeScript',
      given: { facts: { node: true, manifest: {}, tsconfig: true } },
      want: { context: 'WORKSPACE_RULES: Node.js project detected. Use TypeScript.' },
    },
    {
      name: 'Python',
      given: { facts: { node: false, pyproject: true } },
      want: { context: 'WORKSPACE_RULES: Python project detected. Follow PEP 8 standards.' },
    },
    {
      name: 'Python of the old kind',
      given: { facts: { requirements: true } },
      want: { context: 'WORKSPACE_RULES: Python project' },
    },
    {
      name: 'Rust',
      given: { facts: { cargo: true } },
      want: { context: 'WORKSPACE_RULES: Rust project detected. Follow Rust conventions.' },
    },
    {
      name: 'Go',
      given: { facts: { goMod: true } },
      want: { context: 'WORKSPACE_RULES: Go project detected. Follow Effective Go.' },
    },
    {
      name: 'several at once',
      given: { facts: { cargo: true, pyproject: true, requirements: true } },
      want: { context: 'Follow PEP 8 standards. Rust project detected.' },
    },
    abstains('nothing that is known', {
      facts: { node: false, tsconfig: false, pyproject: false, requirements: false, cargo: false, goMod: false },
    }),
    abstains('nothing that is recognised', { facts: { manifest: { dependencies: { react: '19' } } } }),
  ],
})
