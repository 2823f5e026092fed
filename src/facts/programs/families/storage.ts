import type { Family } from '../program.ts'
import type { Deeds } from '../deeds/deeds.ts'
import type { Row } from '../row.ts'
import { devices, mounting, whole } from './disks.ts'

const programs: Family['programs'] = {
  sanoid: {
    does: {
      kind: 'delete',
      object: 'old snapshots',
      names: 'none',
      thing: 'backup',
      never: ['--prune-snapshots', '--force-prune'],
    },
  },
  syncoid: {
    does: {
      kind: 'overwrite',
      object: 'dataset',
      names: 'last',
      thing: 'data',
      work: ['--force-delete', '--delete-target-snapshots'],
    },
  },
  zrepl: {
    does: {
      kind: 'weaken',
      object: 'the holds on snapshots',
      names: 'none',
      thing: 'backup',
      work: ['zfs-abstraction release-all'],
    },
  },
  drbdadm: {
    does: {
      says: {
        'wipe-md': { kind: 'delete', object: 'the metadata of', thing: 'data' },
        'invalidate|invalidate-remote|create-md': { kind: 'overwrite', object: 'the copy of', thing: 'data' },
        'down|disconnect|secondary|detach': { kind: 'stop', object: 'volume' },
      },
      never: ['wipe-md', 'invalidate', 'create-md --force', 'down', 'invalidate-remote'],
      work: ['disconnect', 'secondary', 'detach'],
    },
  },
  ceph: {
    does: {
      shows: { 'auth get|get-key|print-key|export|get-or-create': { object: 'key of the storage', names: 'none' } },
      says: {
        'osd pool': { kind: 'delete', object: 'pool', names: 'first', thing: 'data' },
        'osd crush': { kind: 'delete', object: 'part of the storage map', names: 'first' },
        'osd set|reweight': { kind: 'change', object: 'the storage daemons', names: 'none' },
        'osd out|down': { kind: 'stop', object: 'storage daemon', names: 'first' },
        osd: { kind: 'delete', object: 'storage daemon', names: 'first' },
        'fs volume|rm': { kind: 'delete', object: 'file system', names: 'first', thing: 'data' },
        'fs subvolume': { kind: 'delete', object: 'subvolume', names: 'last', thing: 'data' },
        mon: { kind: 'delete', object: 'monitor daemon', names: 'first', thing: 'infrastructure' },
        auth: { kind: 'delete', object: 'the key of', thing: 'secret' },
        mds: { kind: 'delete', object: 'metadata daemon', names: 'first' },
        'orch stop': { kind: 'stop', object: 'service', names: 'first' },
        orch: { kind: 'delete', object: 'service or host', names: 'first', thing: 'infrastructure' },
        'config|config-key': { kind: 'delete', object: 'setting', names: 'last' },
        tell: { kind: 'change', object: 'daemon', names: 'none' },
      },
      valued: 'c n k',
      never: [
        'osd pool delete|rm',
        'osd purge|destroy|rm|lost',
        'fs rm',
        'mon remove|rm',
        'auth del|rm',
        'mds rm|rmfailed',
        'orch rm',
        'orch host rm',
        'orch osd rm',
        'config rm',
        'config-key rm|del',
        'osd crush rm|remove',
        'fs volume rm',
        'fs subvolume rm',
        'osd out',
        'osd down',
        'device rm',
        'nfs cluster rm',
      ],
      work: ['osd set', 'orch stop', 'osd reweight', 'tell'],
      harmless: ['osd unset'],
    },
  },
  rbd: {
    does: {
      says: {
        'rm|remove': { kind: 'delete', object: 'disk image', thing: 'data' },
        'snap rollback': { kind: 'rollback', object: 'disk image', thing: 'data' },
        'snap purge': { kind: 'delete', object: 'all snapshots of', thing: 'backup' },
        snap: { kind: 'delete', object: 'snapshot' },
        'trash purge': { kind: 'delete', object: 'all disk images in the trash', thing: 'data', names: 'none' },
        trash: { kind: 'delete', object: 'disk image', thing: 'data', names: 'last' },
        'image-meta': { kind: 'delete', object: 'metadata of', names: 'first' },
        feature: { kind: 'change', object: 'the features of', names: 'first' },
        mirror: { kind: 'stop', object: 'the mirroring of', names: 'last' },
        'resize|flatten|rename|mv': { kind: 'change', object: 'disk image', thing: 'data', names: 'first' },
      },
      never: [
        'rm|remove',
        'snap rm|remove|purge|rollback',
        'trash purge|rm|remove',
        'image-meta remove',
        'feature disable',
        'mirror pool disable',
        'mirror image disable',
        'group remove|rm',
        'namespace remove',
      ],
      work: ['trash mv|move', 'resize --allow-shrink', 'flatten', 'rename|mv'],
    },
  },
  rados: {
    does: {
      says: {
        rm: { kind: 'delete', object: 'object' },
        rmpool: { kind: 'delete', object: 'pool', thing: 'data', names: 'first' },
        purge: { kind: 'delete', object: 'everything in', thing: 'data', names: 'first' },
        rmsnap: { kind: 'delete', object: 'snapshot' },
        cppool: { kind: 'overwrite', object: 'pool', thing: 'data', names: 'last' },
        'rollback|truncate': { object: 'object', thing: 'data', names: 'first' },
      },
      never: ['rm', 'rmpool', 'purge', 'rmsnap', 'cppool', 'rollback', 'truncate'],
      valued: 'p pool N',
    },
  },
  'radosgw-admin': {
    does: {
      says: {
        'bucket rm': { kind: 'delete', object: 'bucket', names: '--bucket' },
        'bucket unlink': { kind: 'change', object: 'the owner of', names: '--bucket' },
        'user rm|suspend': { object: 'user', names: '--uid' },
        'key|subuser': { kind: 'delete', object: 'access key of', thing: 'secret', names: '--uid' },
        object: { kind: 'delete', object: 'object', names: '--object' },
        'objects|orphans|gc': { kind: 'delete', object: 'expired objects', names: 'none' },
        'log|usage': { kind: 'delete', object: 'records of use', thing: 'record', names: 'none' },
        quota: { kind: 'weaken', object: 'quota of', thing: 'guard', names: '--uid' },
        caps: { kind: 'revoke', object: 'rights of', thing: 'account', names: '--uid' },
      },
      never: [
        'bucket rm',
        'user rm',
        'key rm',
        'object rm',
        'subuser rm',
        'zone delete',
        'zonegroup delete|remove',
        'realm delete',
        'objects expire',
        'orphans finish',
        'log trim|rm',
        'usage trim',
        'quota disable',
        'bucket unlink',
      ],
      work: ['user suspend', 'gc process', 'caps rm'],
    },
  },
  gluster: {
    does: {
      says: {
        'volume remove-brick': { kind: 'delete', object: 'part of volume', names: 'first' },
        'volume quota': { kind: 'stop', object: 'quota of', names: 'first' },
        'volume reset': { kind: 'change', object: 'the settings of', names: 'first' },
        peer: { kind: 'delete', object: 'server of the cluster', names: 'first', thing: 'infrastructure' },
        'snapshot restore': { kind: 'rollback', object: 'volume to snapshot', thing: 'data' },
        volume: { object: 'volume', names: 'first' },
      },
      never: [
        'volume delete',
        'volume stop',
        'volume remove-brick',
        'peer detach',
        'snapshot delete|restore',
        'volume reset',
        'volume quota * disable',
      ],
      flags: 'mode=script',
    },
  },
  weka: { does: { byVerb: 'never', valued: 'H' } },
  mmdelfs: { does: { object: 'file system', thing: 'data', names: 'first', never: [''] } },
  lfs: { does: { kind: 'delete', object: 'entry', names: 'last', work: ['rm_entry', 'project -C'] } },
  hdfs: {
    does: {
      says: {
        'dfs|fs --rm|--rmr|--rmdir': { kind: 'delete', object: 'what is at', thing: 'data' },
        'dfs|fs --expunge': { kind: 'delete', object: 'everything in the trash', thing: 'data' },
        namenode: { kind: 'delete', object: 'everything in the file system', thing: 'data', names: 'none' },
        'dfs|fs --deletesnapshot': { kind: 'delete', object: 'snapshot of', thing: 'backup', names: 'first' },
        'dfs --truncate': { kind: 'delete', object: 'the end of', thing: 'data', names: 'last' },
        'dfsadmin --disallowsnapshot|--clrquota': { kind: 'change', object: 'the rules of', names: 'last' },
        dfsadmin: { kind: 'stop', object: 'data node', names: 'none', thing: 'infrastructure' },
        fsck: { kind: 'delete', object: 'broken files under', names: 'first', thing: 'data' },
        cacheadmin: { kind: 'delete', object: 'cache pool', names: 'last' },
        'dfs --mv|--setrep': { kind: 'change', object: 'file', names: 'first' },
        haadmin: { kind: 'restart', object: 'the name node', names: 'none' },
      },
      oneDash: true,
      never: [
        'dfs --rm',
        'dfs --rmr',
        'dfs --expunge',
        'dfs --rmdir',
        'namenode --format',
        'dfs --deletesnapshot',
        'dfs --truncate',
        'dfsadmin --disallowsnapshot|--deleteblockpool|--clrquota',
        'fsck --delete',
        'cacheadmin --removepool',
        'dfsadmin --safemode=forceexit',
      ],
      work: ['dfs --mv', 'dfsadmin --shutdowndatanode', 'dfs --setrep', 'haadmin --failover'],
    },
  },
  hadoop: {
    does: {
      says: {
        'dfs|fs --rm|--rmr|--rmdir': { kind: 'delete', object: 'what is at', thing: 'data' },
        'dfs|fs --expunge': { kind: 'delete', object: 'everything in the trash', thing: 'data' },
        namenode: { kind: 'delete', object: 'everything in the file system', thing: 'data', names: 'none' },
        'dfs|fs --deletesnapshot': { kind: 'delete', object: 'snapshot of', thing: 'backup', names: 'first' },
        'dfs --truncate': { kind: 'delete', object: 'the end of', thing: 'data', names: 'last' },
        'distcp --delete': { kind: 'delete', object: 'files that are only in', thing: 'data', names: 'last' },
        distcp: { kind: 'overwrite', object: 'files in', thing: 'data', names: 'last' },
        key: { kind: 'delete', object: 'key', names: 'last' },
        job: { kind: 'stop', object: 'job', names: 'last' },
        'fs --mv': { kind: 'change', object: 'file', names: 'first' },
      },
      oneDash: true,
      never: [
        'fs --rm',
        'fs --rmr',
        'fs --expunge',
        'fs --rmdir',
        'namenode --format',
        'distcp --delete',
        'fs --deletesnapshot',
        'key delete',
        'job --kill',
      ],
      work: ['fs --mv', 'distcp --overwrite'],
    },
  },
  ozone: { does: { byVerb: 'never' } },
  alluxio: {
    does: {
      says: {
        'fs rm': { kind: 'delete', object: 'file', names: 'last' },
        'fs free': { kind: 'delete', object: 'cached copies of', names: 'last' },
        '*': { kind: 'delete', object: 'everything that it stores', names: 'none', thing: 'data' },
      },
      never: ['fs rm', 'format', 'formatmasters|formatworkers'],
      work: ['fs free'],
    },
  },
  juicefs: {
    does: {
      says: {
        destroy: { kind: 'delete', object: 'file system, with everything in it', names: 'last', thing: 'data' },
        rmr: { kind: 'delete', object: 'folder', thing: 'data' },
        gc: { kind: 'delete', object: 'leaked objects', names: 'none', thing: 'data' },
        sync: { kind: 'delete', object: 'files that are only in', thing: 'data', names: 'last' },
        format: { kind: 'overwrite', object: 'the settings of the file system', names: 'none' },
        'fsck|config': { kind: 'change', object: 'the file system', thing: 'data' },
      },
      never: ['destroy', 'rmr', 'gc --delete', 'sync --delete-dst|--delete-src'],
      work: ['format --force', 'fsck --repair', 'config'],
    },
  },
  lakectl: {
    does: {
      says: {
        'branch reset': { kind: 'rollback', object: 'branch' },
        'branch revert': { kind: 'rollback', object: 'branch', names: 'first' },
        'gc|annotate': { kind: 'delete', object: 'settings of', names: 'first' },
        'branch-protect': { kind: 'weaken', object: 'the protection of', thing: 'guard', names: 'last' },
      },
      never: [
        'repo delete',
        'branch delete|reset|revert',
        'fs rm',
        'tag delete',
        'auth * delete',
        'gc delete-config',
        'branch-protect delete',
        'annotate --delete',
      ],
    },
  },
}

export const storage: Family = {
  area: 'storage',
  programs,
  examples: {
    'hdfs dfs -rm -r /data': 'deletes what is at `/data`, for good',
    'hadoop distcp -delete /a /b': 'deletes files that are only in `/b`, for good',
    'ceph osd pool delete data data --yes-i-really-really-mean-it': 'deletes pool `data`, for good',
    'ceph auth del client.a': 'deletes the key of `client.a`, which programs may need, for good',
    'rbd rm pool/disk': 'deletes disk image `pool/disk`, for good',
    'rbd snap purge pool/disk': 'deletes all snapshots of `pool/disk`, perhaps the only copy, for good',
    'rados -p data purge data': 'deletes everything in `data`, for good',
    'radosgw-admin bucket rm --bucket shop': 'deletes bucket `shop`, for good',
    'gluster volume stop shop': 'stops volume `shop`',
    'drbdadm down r0': 'stops volume `r0`',
    'juicefs destroy redis://a abc': 'deletes file system `abc`, with everything in it, for good',
    'lakectl branch delete lakefs://repo/try': 'deletes branch `lakefs://repo/try`, for good',
    'ceph status': '',
    'ipfs repo gc': 'deletes unpinned data, for good',
    'alluxio fs rm /a': 'deletes file `/a`, for good',
  },
}

const volumeTool: Row = {
  options: 'L l n name s size u uuid config +test +force',
  shortHelp: true,
  effects(line, recorder) {
    if (!line.has('t', 'test')) devices(line, recorder, 'write')
  },
}

/** What a command of LVM does to a volume or group: it can try that first. */
const volumeDeeds = (deeds: Deeds): Deeds => ({
  ...deeds,
  thing: 'data',
  trial: '--test',
  never: [''],
  trials: 'test t',
})

/** Volumes, pools and arrays that span disks: LVM, ZFS, Btrfs, mdadm. */
export const volumes: Family = {
  area: 'disks',
  rows: { saysWhatStarts: true },
  programs: {
    pvcreate: { ...volumeTool, does: { ...whole, trials: 'test t' } },
    lvremove: { ...volumeTool, does: volumeDeeds({ kind: 'delete', object: 'logical volume' }) },
    vgremove: { ...volumeTool, does: volumeDeeds({ kind: 'delete', object: 'volume group' }) },
    pvremove: { ...volumeTool, does: volumeDeeds({ kind: 'delete', object: 'physical volume' }) },
    lvreduce: { ...volumeTool, does: volumeDeeds({ kind: 'change', object: 'the size of', names: 'last' }) },
    vgreduce: { ...volumeTool, does: volumeDeeds({ kind: 'change', object: 'volume group', names: 'first' }) },
    'vgcreate vgextend lvresize pvmove pvresize': { ...volumeTool },
    lvm: {
      ...mounting,
      does: {
        thing: 'data',
        says: {
          'lvremove|vgremove|pvremove': { kind: 'delete', object: 'volume' },
          lvreduce: { kind: 'change', object: 'the size of', names: 'last' },
        },
        never: ['lvremove|vgremove|pvremove|lvreduce|vgreduce|pvcreate'],
        trials: 'test t',
      },
    },
    mdadm: {
      options:
        'l level n raid-devices x spare-devices c=read config=read e metadata N name u uuid +zero-superblock +create +stop +fail +remove +examine +detail +assemble +query',
      effects: (line, recorder) =>
        devices(
          line,
          recorder,
          line.has('zero-superblock', 'create', 'C', 'fail', 'f', 'remove', 'r', 'stop', 'S') ? 'write' : 'names',
        ),
      does: {
        thing: 'machine',
        flags: 'C S f r set-faulty D',
        kind: 'change',
        object: 'array of disks',
        names: 'first',
        never: ['--zero-superblock|--create|-C|--stop|-S|--fail|-f|--remove|-r|--set-faulty'],
      },
    },
    bcachefs: {
      effects: (line, recorder) => devices(line, recorder, 'names'),
      does: { ...whole, never: ['format'] },
    },
    zfs: {
      effects: (line, recorder) => devices(line, recorder, 'names'),
      does: {
        thing: 'data',
        says: {
          destroy: { kind: 'delete', object: 'dataset, with everything in it', trial: '-nv' },
          rollback: { kind: 'rollback', object: 'dataset', thing: 'data' },
          'receive|recv': { kind: 'overwrite', object: 'dataset', names: 'last' },
          'change-key': { kind: 'overwrite', object: 'the key of', thing: 'secret' },
          'unload-key': { kind: 'stop', object: 'dataset' },
          'promote|rename': { kind: 'change', object: 'dataset', names: 'first' },
          release: { kind: 'weaken', object: 'the hold on', thing: 'guard', names: 'last' },
          'unallow|allow': { kind: 'change', object: 'the rights on', thing: 'account', names: 'last' },
          'unmount|unshare': { kind: 'stop', object: 'dataset' },
        },
        never: ['destroy', 'rollback -r|-R|-f', 'receive|recv -F', 'change-key', 'unload-key', 'allow --destroy'],
        work: ['rollback', 'promote', 'rename', 'unmount', 'release', 'unallow', 'unshare'],
        trials: 'n',
      },
    },
    zpool: {
      effects: (line, recorder) => devices(line, recorder, 'names'),
      does: {
        thing: 'data',
        kind: 'change',
        object: 'storage pool',
        names: 'first',
        says: {
          destroy: { kind: 'delete', object: 'storage pool, with everything in it', thing: 'data' },
          labelclear: { kind: 'delete', object: 'the label of', names: 'last' },
          create: { kind: 'overwrite', object: 'the disks of', names: 'first', thing: 'data' },
          export: { kind: 'stop', object: 'storage pool' },
        },
        never: ['destroy', 'labelclear', 'remove', 'export -f', 'detach', 'split', 'import -F', 'offline', 'create'],
        work: ['export', 'clear', 'reguid', 'replace', 'trim', 'initialize'],
        trials: 'n',
      },
    },
    btrfs: {
      effects: (line, recorder) => devices(line, recorder, 'names'),
      does: {
        thing: 'data',
        says: {
          subvolume: { kind: 'delete', object: 'subvolume', thing: 'data' },
          device: { kind: 'delete', object: 'disk of the file system', names: 'first' },
          'check|rescue': { kind: 'change', object: 'the file system on', names: 'last', thing: 'data' },
          filesystem: { kind: 'change', object: 'the size of', names: 'last', thing: 'data' },
          qgroup: { kind: 'delete', object: 'quota group', thing: 'data', names: 'first' },
          quota: { kind: 'stop', object: 'quotas of', names: 'last' },
          replace: { kind: 'overwrite', object: 'disk', names: 'last' },
          'balance|property|restore': { kind: 'change', object: 'the file system', names: 'none' },
        },
        never: [
          'subvolume delete',
          'device delete|remove',
          'check --repair',
          'rescue *',
          'filesystem resize',
          'qgroup remove',
        ],
        work: ['balance start', 'property set', 'qgroup destroy', 'quota disable', 'replace start', 'restore'],
      },
    },
  },
  examples: {
    'mdadm --stop /dev/md0': 'changes an array of disks `/dev/md0`',
    'zfs destroy -r tank/home': 'deletes dataset `tank/home`, with everything in it, for good',
    'zfs destroy -nv tank/home': '',
    'zfs rollback tank/home@monday': 'rolls back dataset `tank/home@monday`',
    'zpool destroy tank': 'deletes storage pool `tank`, with everything in it, for good',
    'btrfs subvolume delete /mnt/@home': 'deletes subvolume `/mnt/@home`, for good',
    'lvremove -f vg/data': 'deletes logical volume `vg/data`, for good',
    'lvremove --test vg/data': '',
    'lvreduce -L 5G vg/data': 'changes the size of `vg/data`',
    'zfs list': '',
  },
}
