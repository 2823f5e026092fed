import type { Call } from '../../../words/calls.ts'
import type { Impact } from '../../../model/impact.ts'
import { lineIn } from '../../../words/loose-line.ts'
import type { ShellFacts } from '../../../model/shell.ts'
import { makeImpact } from '../make-impact.ts'
import { goesLive, pushesVersion } from './deployed.ts'
import { pushesImage } from './pushed-images.ts'

/** Finds what a call puts in front of everybody at once: a deployment, a release, an image. */
export function goingLive(call: Call, shell: ShellFacts): readonly Impact[] {
  const image = pushesImage(call)
  const words = image ?? goesLive(call) ?? pushesVersion(call, shell)
  if (words === undefined) return []
  const names = image === undefined ? [] : placesIn(call)
  const found = image === undefined ? published(words) : pushedImage
  return [makeImpact(call, lineIn(call, {}), { area: 'going-live', names, undo: 'work', words, ...found })]
}

/** Words of a command that name an image. */
const placesIn = ({ args }: Call): readonly string[] =>
  args.flatMap(({ value }) => (/^(?!-)[\w.-]+[/:]/.test(value) && !/[\s=]/.test(value) ? [value] : []))

const pushedImage = {
  kind: 'publish',
  thing: 'package',
  object: 'image',
  consequence: 'which others run and build from',
  instead: 'push it under a tag of its own first (a branch, a commit)',
} as const

const published = (words: string) =>
  ({
    kind: /deploy|\bup\b|redeploy/.test(words) ? 'deploy' : 'publish',
    thing: 'deployment',
    object: 'this',
    consequence: 'for everybody at once',
    instead: 'have the person release it, after a dry run or a preview',
  }) as const
