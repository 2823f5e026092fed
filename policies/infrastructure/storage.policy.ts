import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'storage',
  severity: 'critical',
  description: 'Keeps pools, volumes, file systems and stored objects from being destroyed or rolled back',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { impacts: ['storage', 'disks'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'storage', given),
  examples: [
    denies('zfs destroy -r tank/home'),
    denies('btrfs subvolume delete /mnt/@home'),
    denies('lvremove -f vg/data'),
    denies('hdfs dfs -rm -r /data'),
    denies('ceph osd pool delete data data --yes-i-really-really-mean-it'),
    asks('zfs rollback tank/home@monday'),
    abstains('zfs list -t snapshot'),
    abstains('zfs destroy -n tank/home'),
    abstains('hdfs dfs -ls /rm'),
    denies('rbd rm pool/disk'),
    abstains('ceph status'),
    abstains('lvs'),
    abstains('zpool status'),
    abstains('lvremove --test -f vg/data'),
    allowed('zfs destroy -r tank/home', 'zfs'),
    answered('zfs destroy -r tank/home', 'ask'),
  ],
})
