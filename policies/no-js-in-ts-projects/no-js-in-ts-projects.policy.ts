import { definePolicy, deny } from 'hookgate/policy'

const endings = ['.js', '.jsx', '.mjs', '.cjs']

/** The last part of a path, in lower case: on many disks `A.JS` is `a.js`. */
const nameOf = (path: string) => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()

/** Whether a name is what a pattern says, in which `*` is any text. */
function isLike(name: string, pattern: string): boolean {
  // No name has a slash, so that one at either end holds the pattern's ends to those of the name.
  let rest = `/${name}/`
  return `/${pattern.toLowerCase()}/`.split('*').every((part) => {
    const at = rest.indexOf(part)
    rest = rest.slice(at + part.length)
    return at >= 0
  })
}

export default definePolicy({
  id: 'no-js-in-ts-projects',
  description: 'Keeps JavaScript files out of TypeScript projects',
  on: 'PreToolUse',
  tool: ['write', 'edit'],
  facts: { tsconfig: { exists: 'tsconfig.json' } },
  params: {
    allowed: {
      type: 'strings',
      default: ['*.config.js', '*.config.mjs', '*.config.cjs', '.*rc.js', '.*rc.mjs', '.*rc.cjs'],
      description: 'names of JavaScript files that may be written; `*` is any text',
    },
  },
  decide({ tool, facts, params }) {
    // Where it cannot be told whether it is a TypeScript project, it may be one.
    if (facts.tsconfig === false) return undefined
    const refused = tool.paths.find((path) => {
      const name = nameOf(path)
      return endings.some((ending) => name.endsWith(ending)) && !params.allowed.some((one) => isLike(name, one))
    })
    if (refused === undefined) return undefined
    return deny(
      `JavaScript files are not allowed in a TypeScript project: write ${refused} in TypeScript (.ts or .tsx)`,
    )
  },
  examples: [
    {
      name: 'a .js file',
      given: { tool: 'write', input: { path: 'src/a.js' }, facts: { tsconfig: true } },
      want: {
        effect: 'deny',
        reason: 'not allowed in a TypeScript project: write src/a.js in TypeScript (.ts or .tsx)',
      },
    },
    { name: 'a .jsx file', given: { input: { path: '/w/a.jsx' }, facts: { tsconfig: true } }, want: 'deny' },
    { name: 'an .mjs file', given: { input: { path: 'a.mjs' }, facts: { tsconfig: true } }, want: 'deny' },
    { name: 'a .cjs file', given: { input: { path: 'a.cjs' }, facts: { tsconfig: true } }, want: 'deny' },
    { name: 'capital letters', given: { input: { path: 'src/A.JS' }, facts: { tsconfig: true } }, want: 'deny' },
    { name: 'an edit', given: { tool: 'edit', input: { path: 'a.js' }, facts: { tsconfig: true } }, want: 'deny' },
    { name: 'not told whether it is TypeScript', given: { input: { path: 'a.js' } }, want: 'deny' },
    { name: 'a .ts file', given: { input: { path: 'src/a.ts' }, facts: { tsconfig: true } }, want: 'abstain' },
    { name: 'a .json file', given: { input: { path: 'a.json' }, facts: { tsconfig: true } }, want: 'abstain' },
    {
      name: 'a folder called .js',
      given: { input: { path: 'a.js/b.ts' }, facts: { tsconfig: true } },
      want: 'abstain',
    },
    {
      name: 'no TypeScript project',
      given: { input: { path: 'src/a.js' }, facts: { tsconfig: false } },
      want: 'abstain',
    },
    {
      name: 'a name that goes on behind it',
      given: { input: { path: 'a.js.txt' }, facts: { tsconfig: true } },
      want: 'abstain',
    },
    { name: 'no file at all', given: { input: {}, facts: { tsconfig: true } }, want: 'abstain' },
    {
      name: 'a configuration',
      given: { input: { path: 'eslint.config.js' }, facts: { tsconfig: true } },
      want: 'abstain',
    },
    {
      name: 'of a module',
      given: { input: { path: 'web/app/vite.config.mjs' }, facts: { tsconfig: true } },
      want: 'abstain',
    },
    {
      name: 'of CommonJS',
      given: { input: { path: '/w/jest.config.cjs' }, facts: { tsconfig: true } },
      want: 'abstain',
    },
    {
      name: 'under Windows',
      given: { input: { path: 'w\\x\\A.Config.js' }, facts: { tsconfig: true } },
      want: 'abstain',
    },
    { name: 'an rc file', given: { input: { path: '.eslintrc.js' }, facts: { tsconfig: true } }, want: 'abstain' },
    {
      name: 'an rc module',
      given: { input: { path: '.lintstagedrc.mjs' }, facts: { tsconfig: true } },
      want: 'abstain',
    },
    {
      name: 'an rc of CommonJS',
      given: { input: { path: '.prettierrc.cjs' }, facts: { tsconfig: true } },
      want: 'abstain',
    },
    {
      name: 'an rc file that is not hidden',
      given: { input: { path: 'src.js' }, facts: { tsconfig: true } },
      want: 'deny',
    },
    {
      name: 'in a folder called like one',
      given: { input: { path: 'a/b.config.js/c.js' }, facts: { tsconfig: true } },
      want: 'deny',
    },
    {
      name: 'a name that is allowed, capital letters or not',
      given: { input: { path: 'public/Worker.js' }, facts: { tsconfig: true }, params: { allowed: ['worker.JS'] } },
      want: 'abstain',
    },
    {
      name: 'the same name in several folders',
      given: { input: { path: 'a/b/worker.js' }, facts: { tsconfig: true }, params: { allowed: ['worker.js'] } },
      want: 'abstain',
    },
    {
      name: 'the same under Windows',
      given: { input: { path: 'a\\b\\worker.js' }, facts: { tsconfig: true }, params: { allowed: ['worker.js'] } },
      want: 'abstain',
    },
    {
      name: 'a longer name than the one that is allowed',
      given: { input: { path: 'my-worker.js' }, facts: { tsconfig: true }, params: { allowed: ['worker.js'] } },
      want: 'deny',
    },
    {
      name: 'every part of a pattern, in order',
      given: { input: { path: 'a.legacy.min.js' }, facts: { tsconfig: true }, params: { allowed: ['a*legacy*.js'] } },
      want: 'abstain',
    },
    {
      name: 'a part of a pattern that is not there',
      given: { input: { path: 'a.new.js' }, facts: { tsconfig: true }, params: { allowed: ['a*legacy*.js'] } },
      want: 'deny',
    },
    {
      name: 'parts in another order',
      given: { input: { path: 'a.two.one.js' }, facts: { tsconfig: true }, params: { allowed: ['a*one*two*.js'] } },
      want: 'deny',
    },
    {
      name: 'one text for two parts of a pattern',
      given: { input: { path: 'a.one.js' }, facts: { tsconfig: true }, params: { allowed: ['a*one*one*.js'] } },
      want: 'deny',
    },
    {
      name: 'a beginning that would also have to be the end',
      given: { input: { path: 'a.js' }, facts: { tsconfig: true }, params: { allowed: ['a.*.js'] } },
      want: 'deny',
    },
    {
      name: 'a beginning that is another',
      given: { input: { path: 'b.x.js' }, facts: { tsconfig: true }, params: { allowed: ['a*.js'] } },
      want: 'deny',
    },
    {
      name: 'an end that is another',
      given: { input: { path: 'ab.js' }, facts: { tsconfig: true }, params: { allowed: ['a*.cjs'] } },
      want: 'deny',
    },
    {
      name: 'a beginning and an end that meet',
      given: { input: { path: 'a.js' }, facts: { tsconfig: true }, params: { allowed: ['a*.js'] } },
      want: 'abstain',
    },
    {
      name: 'nothing allowed',
      given: { input: { path: 'eslint.config.js' }, facts: { tsconfig: true }, params: { allowed: [] } },
      want: 'deny',
    },
  ],
})
