import { abstains, answerTo, asks, definePolicy, denies, strictest } from 'hookgate/policy'

export default definePolicy({
  id: 'full-disks',
  severity: 'high',
  description: 'Refuses to write endlessly into a file until the disk is full; asks about dd without a count',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['disks'] },
  decide: ({ impacts }) =>
    strictest(
      impacts.filter(({ area, kind }) => area === 'disks' && kind === 'create').map((impact) => answerTo(impact)),
    ),
  examples: [
    denies('one word without end', 'yes > big'),
    abstains('to a program', 'yes | npm init'),
    abstains('to nowhere', 'yes > /dev/null'),
    abstains('for some time', 'timeout 1 yes > y.txt'),
    abstains('some of it', 'yes | head -5 > y.txt'),
    denies('zeroes', 'cat /dev/zero > big'),
    denies('zeroes, appended', 'cat < /dev/urandom >> big'),
    abstains('nothing', 'cat /dev/null > small'),
    asks('by dd', 'dd if=/dev/zero of=big bs=1M'),
    abstains('so much by dd', 'dd if=/dev/zero of=small bs=1M count=9'),
    denies('by tee', 'yes | tee big'),
    abstains('letters', 'tr -dc a-z < /dev/urandom | head -c 9 > key'),
    denies('more than there is', 'fallocate -l 10T big'),
    abstains('what there is', 'fallocate -l 100M small'),
    abstains('as text', 'echo "yes > big"'),
  ],
})
