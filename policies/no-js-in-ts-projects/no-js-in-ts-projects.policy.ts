import { abstains, definePolicy, denies, deny, isLike } from 'hookgate/policy'

const endings = ['.js', '.jsx', '.mjs', '.cjs']

/** The last part of a path, in lower case: on many disks `A.JS` is `a.js`. */
const nameOf = (path: string) => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()

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
    // If the facts are unavailable, it may be a TypeScript project.
    if (facts.tsconfig === false) return undefined
    const refused = tool.paths.find((path) => {
      const name = nameOf(path)
      return (
        endings.some((ending) => name.endsWith(ending)) &&
        !params.allowed.some((one) => isLike(name, one.toLowerCase()))
      )
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
    denies('a .jsx file', { input: { path: '/w/a.jsx' }, facts: { tsconfig: true } }),
    denies('an .mjs file', { input: { path: 'a.mjs' }, facts: { tsconfig: true } }),
    denies('a .cjs file', { input: { path: 'a.cjs' }, facts: { tsconfig: true } }),
    denies('capital letters', { input: { path: 'src/A.JS' }, facts: { tsconfig: true } }),
    denies('an edit', { tool: 'edit', input: { path: 'a.js' }, facts: { tsconfig: true } }),
    denies('unknown whether it is TypeScript', { input: { path: 'a.js' } }),
    abstains('a .ts file', { input: { path: 'src/a.ts' }, facts: { tsconfig: true } }),
    abstains('a .json file', { input: { path: 'a.json' }, facts: { tsconfig: true } }),
    abstains('a folder called .js', { input: { path: 'a.js/b.ts' }, facts: { tsconfig: true } }),
    abstains('no TypeScript project', { input: { path: 'src/a.js' }, facts: { tsconfig: false } }),
    abstains('a name that goes on behind it', { input: { path: 'a.js.txt' }, facts: { tsconfig: true } }),
    abstains('no file at all', { input: {}, facts: { tsconfig: true } }),
    abstains('a configuration', { input: { path: 'eslint.config.js' }, facts: { tsconfig: true } }),
    abstains('of a module', { input: { path: 'web/app/vite.config.mjs' }, facts: { tsconfig: true } }),
    abstains('of CommonJS', { input: { path: '/w/jest.config.cjs' }, facts: { tsconfig: true } }),
    abstains('under Windows', { input: { path: 'w\\x\\A.Config.js' }, facts: { tsconfig: true } }),
    abstains('an rc file', { input: { path: '.eslintrc.js' }, facts: { tsconfig: true } }),
    abstains('an rc module', { input: { path: '.lintstagedrc.mjs' }, facts: { tsconfig: true } }),
    abstains('an rc of CommonJS', { input: { path: '.prettierrc.cjs' }, facts: { tsconfig: true } }),
    denies('an rc file that is not hidden', { input: { path: 'src.js' }, facts: { tsconfig: true } }),
    denies('in a folder called like one', { input: { path: 'a/b.config.js/c.js' }, facts: { tsconfig: true } }),
    abstains('a name that is allowed, capital letters or not', {
      input: { path: 'public/Worker.js' },
      facts: { tsconfig: true },
      params: { allowed: ['worker.JS'] },
    }),
    abstains('the same name in several folders', {
      input: { path: 'a/b/worker.js' },
      facts: { tsconfig: true },
      params: { allowed: ['worker.js'] },
    }),
    abstains('the same under Windows', {
      input: { path: 'a\\b\\worker.js' },
      facts: { tsconfig: true },
      params: { allowed: ['worker.js'] },
    }),
    denies('a longer name than the one that is allowed', {
      input: { path: 'my-worker.js' },
      facts: { tsconfig: true },
      params: { allowed: ['worker.js'] },
    }),
    abstains('every part of a pattern, in order', {
      input: { path: 'a.legacy.min.js' },
      facts: { tsconfig: true },
      params: { allowed: ['a*legacy*.js'] },
    }),
    denies('a part of a pattern that is not there', {
      input: { path: 'a.new.js' },
      facts: { tsconfig: true },
      params: { allowed: ['a*legacy*.js'] },
    }),
    denies('parts in another order', {
      input: { path: 'a.two.one.js' },
      facts: { tsconfig: true },
      params: { allowed: ['a*one*two*.js'] },
    }),
    denies('one text for two parts of a pattern', {
      input: { path: 'a.one.js' },
      facts: { tsconfig: true },
      params: { allowed: ['a*one*one*.js'] },
    }),
    denies('a beginning that would also have to be the end', {
      input: { path: 'a.js' },
      facts: { tsconfig: true },
      params: { allowed: ['a.*.js'] },
    }),
    denies('a beginning that is another', {
      input: { path: 'b.x.js' },
      facts: { tsconfig: true },
      params: { allowed: ['a*.js'] },
    }),
    denies('an end that is another', {
      input: { path: 'ab.js' },
      facts: { tsconfig: true },
      params: { allowed: ['a*.cjs'] },
    }),
    abstains('a beginning and an end that meet', {
      input: { path: 'a.js' },
      facts: { tsconfig: true },
      params: { allowed: ['a*.js'] },
    }),
    denies('nothing allowed', {
      input: { path: 'eslint.config.js' },
      facts: { tsconfig: true },
      params: { allowed: [] },
    }),
  ],
})
