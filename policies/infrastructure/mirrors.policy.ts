import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'mirrors',
  severity: 'high',
  description:
    'Keeps copies from deleting what their source does not have, and from overwriting the system of another machine',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['mirrors'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'mirrors', given),
  examples: [
    denies('rsync -a --delete /src/ /srv/site/'),
    denies('rsync -a --del /src/ ~/site'),
    denies('rsync -a --delete-excluded --numeric-ids /src/ /srv/site/'),
    denies('rsync -a --remove-source-files /srv/in/ ./in/'),
    denies('rclone sync ./site remote:site'),
    denies('rclone --config c.conf purge remote:logs'),
    denies('rclone delete remote:logs --min-age 30d'),
    denies('rclone deletefile remote:logs/a'),
    asks('rsync -a --delete build/ host.example.com:/srv/site/'),
    abstains('rsync -a --delete src/ build/'),
    abstains('rclone sync ./site ./public'),
    abstains('rsync -a --delete public/ dist/public/'),
    abstains('rsync -a --delete ./ /tmp/copy/'),
    denies('rsync -a --delete public/ $OUT/dist/'),
    denies('rsync -a --delete public/ /srv/dist/'),
    denies('scp app.conf root@host.example.com:/etc/app.conf'),
    abstains('scp app.conf me@host.example.com:app.conf'),
    abstains('scp host.example.com:/etc/hosts ./hosts'),
    asks('rclone move ./a remote:a'),
    abstains('rsync -a /src/ /srv/site/'),
    abstains('rsync -an --delete /src/ /srv/site/'),
    abstains('rsync -a --delete --dry-run /src/ /srv/site/'),
    abstains('rsync -a --exclude --delete /src/ /srv/site/'),
    abstains('rclone sync ./site remote:site --dry-run'),
    abstains('rclone copy ./site remote:delete'),
    abstains('rclone ls remote:sync'),
    abstains('rclone size remote:logs'),
    abstains('printf "%s" "rclone sync /a b: --delete"'),
    allowed('rsync -a --delete /src/ /srv/site/', 'rsync'),
    answered('rsync -a --delete /src/ /srv/site/', 'ask'),
  ],
})
