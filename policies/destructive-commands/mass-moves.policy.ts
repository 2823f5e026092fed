import { definePolicy, deny, setOf } from 'hookgate/policy'
import { aroundOf, nameOf } from './deletions.ts'
import { placeOf } from './places.ts'

const movers = setOf(['mv', 'gmv', 'rename', 'prename', 'mmv'])

export default definePolicy({
  id: 'mass-moves',
  severity: 'critical',
  description: 'Refuses to move away system folders, a home directory or the workspace',
  on: 'PreToolUse',
  tool: 'shell',
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
      // What is moved to where it is stays there.
      const stays = paths.some(({ access, absolute }) => access === 'write' && absolute === moved?.absolute)
      if (moved === undefined || (stays && moved.pattern !== undefined)) continue
      return deny(`${program} would move ${nameOf(moved)} away, which others need where it is: copy it instead`, { at })
    }
    return undefined
  },
  examples: [
    { name: 'everything', given: { input: { command: 'mv /* /tmp' } }, want: 'deny' },
    { name: 'everything to where it is', given: { input: { command: 'mv /* /' } }, want: 'abstain' },
    { name: 'everything in quotes', given: { input: { command: "mv './*' /tmp" } }, want: 'abstain' },
    { name: 'a folder of the system', given: { input: { command: 'mv /usr/bin /usr/bin.old' } }, want: 'deny' },
    { name: 'a folder called like one', given: { input: { command: 'mv bin bin.old' } }, want: 'abstain' },
    { name: 'the home directory', given: { input: { command: 'mv ~ /backup' } }, want: 'deny' },
    { name: 'a file in it', given: { input: { command: 'mv ~/a.txt .' } }, want: 'abstain' },
    { name: 'the target before', given: { input: { command: 'mv -t /tmp /etc' } }, want: 'deny' },
    { name: 'as text', given: { input: { command: 'echo mv /etc /tmp' } }, want: 'abstain' },
  ],
})
