import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'backups',
  severity: 'critical',
  description: 'Keeps backups and snapshots from being forgotten, pruned or deleted',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['backups'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'backups', given),
  examples: [
    denies('restic forget --keep-last 3 --prune'),
    denies('restic -r /mnt/repo prune'),
    denies('restic -r /mnt/repo key remove abc'),
    denies('borg delete /mnt/repo::monday'),
    denies('borg prune --keep-daily 7 /mnt/repo'),
    denies('borg compact'),
    denies('borg rdelete --repo /mnt/repo'),
    abstains('borg rinfo --repo /mnt/repo'),
    denies('velero backup delete nightly --confirm'),
    denies('velero schedule delete nightly'),
    denies('duplicity remove-older-than 1Y --force s3://shop'),
    denies('kopia snapshot delete abc --delete'),
    denies('tarsnap -d -f monday'),
    denies('pgbackrest stanza-delete --stanza=shop'),
    abstains('restic forget --keep-last 3 --dry-run'),
    abstains('restic snapshots'),
    abstains('restic -r prune backup ./src'),
    abstains('restic unlock'),
    abstains('borg prune -n --keep-daily 7 /mnt/repo'),
    abstains('borg list /mnt/delete'),
    abstains('borg create /mnt/repo::delete ./src'),
    abstains('velero backup describe delete'),
    abstains('velero backup get'),
    abstains('kopia snapshot list'),
    asks('restic rewrite --exclude secret'),
    allowed('restic forget --keep-last 3 --prune', 'restic'),
    answered('restic forget --keep-last 3 --prune', 'ask'),
  ],
})
