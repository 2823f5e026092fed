import { abstains, ask, asks, definePolicy, denies, deny, quoted, type ShellCommand } from 'hookgate/policy'
import { holdsSecrets } from './secret.ts'

const isServer = ({ network }: ShellCommand) => network?.kind === 'serve'

const isHome = /^\/(?:root|(?:home|Users)\/[^/]+)$/

/** Code that starts a server, whatever it answers. */
const serves =
  /\bhttp\.server\b|\bSimpleHTTP|\bserve_forever\b|\bcreateServer\b|\b(?:Deno|Bun)\.serve\b|\bWEBrick\b|\bexpress\.static\b/

/** Options whose value the server reads for itself. */
const ofItsOwn = /^--?[\w-]*(?:key|cert|config|cacert|pem|settings|credentials?)\w*(?:=|$)/i

/** Returns the places that a server is given, or that its code names. */
function placesOf({ args, code }: ShellCommand): readonly string[] {
  const inCode = serves.test(code?.text ?? '') ? [...(code?.text ?? '').matchAll(/["'`]([^"'`\n]{1,200})["'`]/g)] : []
  const given = args.flatMap(({ value }, at) =>
    ofItsOwn.test(value) || ofItsOwn.test(args[at - 1]?.value ?? '') ? [] : [value.replace(/^-[^=]*=/, '')],
  )
  return [...inCode.map(([, text = '']) => text), ...given.filter((word) => !word.includes('://'))]
}

export default definePolicy({
  id: 'served-secrets',
  description: 'Refuses to serve a folder of keys or credentials to whoever connects, and asks about folders named so',
  severity: 'critical',
  terminalOnly: true,
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['machine', 'recipe', 'ci', 'container', 'prompt'],
  interest: { network: ['serve'], code: true },
  decide({ shell }) {
    for (const [at, command] of shell.commands.entries()) {
      const { code, cwd, paths, elsewhere } = command
      if (elsewhere === true || !(isServer(command) || serves.test(code?.text ?? ''))) continue
      const around = cwd === undefined ? [] : [cwd]
      const place = [...around, ...placesOf(command)].find((written) => holdsSecrets({ written }) !== undefined)
      if (place !== undefined)
        return deny(
          `this serves ${quoted(place)}, with keys or passwords in it, to everybody who connects: serve another folder`,
          {
            at,
          },
        )
      if (!isServer(command)) continue
      const given = placesOf(command)
      const whole = paths.find(
        (path) => holdsSecrets({ ...path, recursive: true }) !== undefined && given.includes(path.written),
      )
      // A server without a folder takes the one that it runs in.
      const served = whole?.written ?? (paths.length === 0 && isHome.test(cwd ?? '') ? cwd : undefined)
      if (served !== undefined)
        return ask(
          `this serves all of ${quoted(served)} to everybody who connects: serve only the folder that is needed`,
          {
            at,
          },
        )
    }
    return undefined
  },
  examples: [
    denies('keys', 'python3 -m http.server -d ~/.ssh'),
    abstains('what a build has made', 'python3 -m http.server -d dist'),
    denies('from within', 'cd ~/.aws && npx serve'),
    abstains('with a certificate', 'npx http-server dist -S -K certs/key.pem'),
    denies('by PHP', 'php -S 0.0.0.0:80 -t ~/.gnupg'),
    denies('by code', `python3 -c "import http.server, os; os.chdir('/home/u/.ssh'); http.server.test()"`),
    abstains('by code, the project', `node -e "require('http').createServer(() => {}).listen(80)"`),
    asks('a folder named so', 'npx serve ~/work/secrets'),
    asks('a whole home', 'darkhttpd ~'),
    asks('the home that it runs in', 'cd ~ && python3 -m http.server'),
    abstains('the project that it runs in', 'python3 -m http.server'),
    abstains('only listed', 'ls ~/.ssh'),
  ],
})
