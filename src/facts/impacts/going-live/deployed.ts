import type { Call } from '../../../words/calls.ts'
import { setOf } from '../../../model/look-ups.ts'
import { onlyTries } from '../../../words/options.ts'
import { namesTrial } from '../../../words/names.ts'

/** Options with which nothing leaves this machine. */
const trials =
  'dry-run dry_run dryrun check preview snapshot help h version local build-only skip-publish no-publish validate list what-if release-version'.split(
    ' ',
  )
/** First words of programs that only look, prepare, or run something here. */
const looks =
  /^(?:init|build|check|help|verify|status|plan|preview|changelog|lint|notes|generate|config|healthcheck|list|ls|show|info|logs|validate|test|dev|serve|start|login|logout|whoami|emulators:\w+|hosting:channel:deploy|add|docs|describe|get|search)$/
const isElsewhere = (words: readonly string[]) => words.some(namesTrial)
/** Programs whose deployment goes to the environment or application that an option names. */
const deploysStages = setOf(['railway', 'cf', 'az', 'balena', 'dokku'])

/** Programs that publish messages, or build where others publish. */
const publishesOther = setOf(
  'aws gcloud nats ntfy redis-cli dotnet rabbitmqadmin mosquitto mqtt mqttx kafka artisan php yalc echo printf git gh glab rg grep cat ls docker podman kubectl npm pnpm yarn bun make just task'.split(
    ' ',
  ),
)
/** Programs whose `deploy` goes to a preview, to one's own copy, or to what its settings name; other rules judge those. */
const deploysOther = setOf(
  'npx bunx pnpx vercel netlify ntl serverless sls sst amplify docker podman kubectl oc k helm helmfile skaffold devspace garden okteto tilt prisma alembic sqitch hardhat forge ansible-playbook git gh glab npm pnpm yarn bun make just task nx turbo rake cap mup dep cdk cdktf sam pulumi terraform echo printf rg grep cat ls find sed awk'.split(
    ' ',
  ),
)

/** A package as registries and stores take it. */
const packaged =
  /\.(?:whl|tar\.(?:gz|bz2)|tgz|conda|snap|charm|rockspec|gem|vsix|crx|xpi|aab|apk|ipa|nupkg|podspec|deb|rpm|jar|zip|crate|pkg|msix)$/
const hands = /^(?:upload|push|submit|release|sign|publish|deploy)$/
const handsOther = setOf(
  'git gh glab aws gsutil s3cmd rclone scp rsync curl docker podman npm pnpm yarn bun helm adb jarsigner apksigner codesign gpg kubectl make echo'.split(
    ' ',
  ),
)

/** Programs whose name says that they bump, tag, push and publish in one go. */
const releases =
  /(?:^|[-_])(?:go)?(?:releaser?|shipit|shipjs|publish)(?:$|[-_])|^(?:release-it|semantic-release|release-plz|jreleaser)$/
/** Words that a program of such a name needs to do more than show what it would. */
const releasesOther = setOf('github-release gh-release lsb_release release-please'.split(' '))

const byGradle = /(?:^| |:)(?:publish(?!ToMavenLocal)[A-Z](?!oMavenLocal\b)\w*|jib(?= |$))/
const byMaven = /(?:^| )(?:deploy|release:(?:perform|prepare)|(?:[\w-]+:)?jib:build|[\w-]+:deploy)(?= |$)/

/**
 * Programs whose name or verb says nothing, by what their manuals say is live at once: what is behind them begins as this.
 * `''` is any call.
 */
const silent: Readonly<Record<string, RegExp>> = {
  surge: /^(?!list|whoami|login|logout|token|plans|teardown)/,
  'gh-pages': /^/,
  np: /^/,
  bumpp: /^(?!.*--no-push)/,
  rake: /^release\b/,
  sbt: /(?:^| )(?:publish|publishSigned|ci-release)\b/,
  gradle: byGradle,
  gradlew: byGradle,
  mvn: byMaven,
  mvnw: byMaven,
  nx: /^release(?! (?:version|changelog|plan))\b/,
  lerna: /^(?:version (?!.*--no-push)|publish\b)/,
  xcrun: /^altool .*--upload-(?:app|package)\b/,
  appcenter: /^(?:codepush (?:release|promote)|distribute release)/,
  auto: /^(?:shipit|latest|next|release)\b/,
  cz: /^release\b/,
  now: /--prod\b/,
  zeit: /--prod\b/,
  cf: /^push\b/,
  railway: /^(?:up|redeploy)\b/,
  az: /^(?:webapp|containerapp) up\b/,
  balena: /^(?:push|deploy) (?!.*\.local)/,
  butler: /^push\b/,
  steamcmd: /\+run_app_build\b/,
  particle: /^flash (?!--local|--usb)/,
  eas: /^submit\b|^build .*--auto-submit|^update\b.*(?:--(?:channel|branch)[ =](?:main|master|production|prod)|--auto)/,
  pod: /^(?:trunk|repo) push\b/,
  render: /^deploys create\b/,
  dokku: /^(?:ps:rebuild|git:(?:from-image|sync))\b/,
  heroku: /^container:release\b/,
  fastlane: /^(?:\w+ )?(?:release|deliver|supply|pilot|testflight|upload_to_\w+|beta|deploy)\b/,
  cargo: /^release\b.*(?:--execute|-x)\b/,
  hf: /^(?:upload|repo create)\b/,
  'huggingface-cli': /^upload\b/,
  luarocks: /^upload\b/,
  cabal: /^upload\b.*--publish/,
  shorebird: /^(?:release|patch)\b/,
  'web-ext': /^sign\b.*--channel[ =]listed/,
  'chrome-webstore-upload': /^(?!.*--help)/,
  gh: /^release (?:create (?!.*(?:--draft|(?:^| )-d)\b)|edit .*--draft=false)/,
  glab: /^release (?:create|upload)\b/,
  tea: /^releases? create (?!.*--draft)/,
  fj: /^release create (?!.*--draft)/,
  berg: /^release create (?!.*--draft)/,
}

/** Programs whose first word is only the kind of thing: `release create`. */
const forges = setOf(['gh', 'glab', 'tea', 'fj', 'berg'])

/** Returns the thing that a program puts in front of everybody at once; `undefined` if there is none. */
export function goesLive(call: Call): string | undefined {
  const { program, args } = call
  const words = args.map(({ value }) => value)
  if (program === '' || onlyTries(args, ...trials)) return undefined
  const operands = words.filter((word) => !word.startsWith('-')).slice(0, 3)
  const [first = ''] = operands
  if (Object.hasOwn(silent, program)) {
    if (deploysStages.has(program) && isElsewhere(words)) return undefined
    if (silent[program]?.test(words.join(' ')) === true)
      return forges.has(program) ? operands.slice(0, 2).join(' ') : first
    if (program !== 'az' && program !== 'cargo' && program !== 'eas') return undefined
  }
  if (looks.test(words[0] ?? '')) return undefined
  if (releases.test(program) && !releasesOther.has(program)) {
    return program === 'goreleaser' && first !== '' && first !== 'release' ? undefined : first
  }
  if (!publishesOther.has(program)) {
    const verb = operands.find((word) => /(?:^|[:.])publish$/.test(word) && !word.startsWith('vendor'))
    if (verb !== undefined) return verb
  }
  if (!handsOther.has(program) && hands.test(first) && words.some((word) => packaged.test(word))) return first
  if (deploysOther.has(program)) return undefined
  // `prisma migrate deploy` brings a database's tables up to date: other rules judge migrations.
  const verb = operands.find((word, at) => /^(?:[a-z]+[:-])?deploy$/.test(word) && operands[at - 1] !== 'migrate')
  if (verb === undefined || (verb !== first && looks.test(first))) return undefined
  return isElsewhere(words) ? undefined : verb
}
