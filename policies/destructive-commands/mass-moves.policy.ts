import { abstains, definePolicy, denies, deny, setOf } from 'hookgate/policy'
import { aroundOf, nameOf } from './deletions.ts'
import { placeOf } from './places.ts'

const movers = setOf(['mv', 'gmv', 'rename', 'prename', 'mmv'])

export default definePolicy({
  id: 'mass-moves',
  severity: 'critical',
  description: 'Refuses to move away system folders, a home directory or the workspace',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: movers.members },
  decide({ event, shell }) {
    const around = aroundOf(event, [])
    for (const [at, { program, paths }] of shell.commands.entries()) {
      if (!movers.has(program)) continue
      const moved = paths.find(
        (path) =>
          path.access === 'delete' &&
          !path.unresolved &&
          ['system', 'home', 'workspace'].includes(placeOf(path, around)),
      )
      // A path that is moved to its own folder stays there.
      const stays = paths.some(({ access, absolute }) => access === 'write' && absolute === moved?.absolute)
      if (moved === undefined || (stays && moved.pattern !== undefined)) continue
      return deny(`${program} would move ${nameOf(moved)} away, which others need where it is: copy it instead`, { at })
    }
    return undefined
  },
  examples: [
    denies('everything', 'mv /* /tmp'),
    abstains('everything to where it is', 'mv /* /'),
    abstains('everything in quotes', "mv './*' /tmp"),
    denies('a folder of the system', 'mv /usr/bin /usr/bin.old'),
    abstains('a folder called like one', 'mv bin bin.old'),
    denies('the home directory', 'mv ~ /backup'),
    abstains('a file in it', 'mv ~/a.txt .'),
    denies('the target before', 'mv -t /tmp /etc'),
    abstains('as text', 'echo mv /etc /tmp'),
  ],
})
