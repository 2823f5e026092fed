import { abstains, answerTo, asks, definePolicy, denies, strictest } from 'hookgate/policy'

/** True for a machine and a path on it: `me@host:/etc`, `rsync://host/x`. */
const isRemote = (name: string) => /^(?:[^/:\\]{2,}:|\w+:\/\/)/.test(name)

export default definePolicy({
  id: 'remote-copies',
  severity: 'high',
  description: "Refuses to copy over another machine's system; asks if a copy would delete files there",
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['mirrors'] },
  decide: ({ impacts }) =>
    strictest(
      impacts
        .filter(({ area, names }) => area === 'mirrors' && (names.length === 0 || names.some(isRemote)))
        .map((impact) => answerTo(impact)),
    ),
  examples: [
    denies('over a system', 'scp a.conf root@host:/etc/a.conf'),
    abstains('from a system', 'scp root@host:/etc/a.conf .'),
    asks('deleting there', 'rsync -a --delete src/ host:srv/'),
    abstains('a try', 'rsync -an --delete src/ host:srv/'),
    asks('a mirror over a system', 'rsync -a src/ host:/usr/'),
    abstains('a copy', 'rsync -a src/ host:src/'),
  ],
})
