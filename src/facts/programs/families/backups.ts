import type { ShellWord } from '../../../model/shell.ts'
import type { Deeds } from '../deeds/deeds.ts'
import type { EffectRecorder } from '../effects.ts'
import type { Family } from '../program.ts'
import { known } from '../words.ts'
import { http } from './http.ts'

const borg: Deeds = {
  says: {
    delete: { kind: 'delete', object: 'backup', trial: '--dry-run' },
    prune: { kind: 'delete', object: 'old backups of', names: 'none', trial: '--dry-run --list' },
    compact: { kind: 'delete', object: 'the remains of deleted archives', thing: 'data', names: 'none' },
    'repo-delete|rdelete': { kind: 'delete', object: 'the repository, with all backups', names: 'none' },
    'break-lock': { kind: 'delete', object: 'the lock of the repository', names: 'none' },
    check: { kind: 'change', object: 'the repository', names: 'none' },
    'repo-compress|rcompress|config|transfer|undelete': { kind: 'change', object: 'the repository', names: 'none' },
    key: { kind: 'change', object: 'the key of the repository', thing: 'secret', names: 'none' },
    recreate: { kind: 'overwrite', object: 'backups', names: 'none' },
    'rename|tag': { kind: 'change', object: 'backup', names: 'first' },
  },
  valued: 'r lock-wait umask a glob-archives match-archives first last',
  never: [
    'delete',
    'prune',
    'compact',
    'repo-delete|rdelete',
    'break-lock',
    'check --repair',
    'repo-compress|rcompress',
    'key remove',
    'key change-location',
  ],
  work: ['recreate', 'rename', 'key change-passphrase', 'config', 'undelete', 'transfer', 'tag --remove'],
  trials: 'n',
}

/** Records a backup to a repository on another machine: `sftp:u@host:/a`, `rest:https://host/`, `u@host:a::b`. */
function toRepository(place: ShellWord | undefined, recorder: EffectRecorder): void {
  const address = place?.value.replace(/^(?:rest|sftp|s3|b2|azure|gs|swift|rclone):/, '')
  if (place === undefined || address === undefined) return
  if (address !== place.value || /^ssh:\/\/|^[^/]+:(?!:)/.test(address))
    recorder.network(http('send', known(address), /^(?:rest|rclone):/.test(place.value) ? 'share' : 'copy'))
}

const programs: Family['programs'] = {
  restic: {
    options:
      'password-command=script r repo p password-file o option tag exclude e host H files-from=list files-from-verbatim=list files-from-raw=list',
    effects({ operands: [verb, ...files], ...line }, recorder) {
      if (verb?.value !== 'backup') return
      for (const word of files) recorder.touch(word, 'read', { recursive: true })
      toRepository(line.value('r', 'repo'), recorder)
    },
    does: {
      flags: 'prune',
      says: {
        'forget|prune': { kind: 'delete', object: 'old backups', names: 'none', trial: '--dry-run' },
        'key remove|rm': { kind: 'delete', object: 'key' },
        'repair|rebuild-index|migrate|recover': { kind: 'change', object: 'the repository', names: 'none' },
        unlock: { kind: 'delete', object: 'the locks of the repository', names: 'none' },
        rewrite: {
          kind: 'overwrite',
          object: 'backups without some of their files',
          names: 'none',
          trial: '--dry-run',
        },
        restore: {
          kind: 'overwrite',
          object: 'files of this machine',
          thing: 'data',
          names: 'none',
          trial: '--dry-run',
        },
        'key passwd': { kind: 'change', object: 'the password of the repository', names: 'none' },
        cache: { kind: 'delete', object: 'local caches', names: 'none' },
      },
      valued:
        'r p password-file password-command o option cache-dir cacert tls-client-cert repository-file key-hint limit-upload limit-download retry-lock',
      never: [
        'forget',
        'prune',
        'key remove|rm',
        'unlock --remove-all',
        'repair *',
        'rebuild-index',
        'rewrite --forget',
      ],
      work: ['key passwd', 'migrate', 'recover', 'restore --delete', 'rewrite', 'cache --cleanup'],
      trials: 'n',
    },
    looks: { options: 'r repo', never: '--password-command', lines: 'snapshots|stats|ls|find|diff|version' },
  },
  borg: {
    abbreviates: true,
    listed: 'paths-from-stdin paths-from-command patterns-from',
    options: 'rsh=script content-from-command=script P prefix remote-path C compression e exclude comment',
    effects({ operands: [verb, archive, ...files] }, recorder) {
      if (verb?.value !== 'create') return
      for (const word of files) recorder.touch(word, 'read', { recursive: true })
      toRepository(archive, recorder)
    },
    variables: 'BORG_RSH BORG_PASSCOMMAND',
    does: borg,
    looks: 'list|info|version',
  },
  rustic: {
    does: {
      says: {
        'forget|prune': { kind: 'delete', object: 'old backups', names: 'none', trial: '--dry-run' },
        'key remove|rm': { kind: 'delete', object: 'key' },
        repair: { kind: 'change', object: 'the repository', names: 'none' },
        restore: { kind: 'overwrite', object: 'files of this machine', thing: 'data', names: 'none' },
        merge: { kind: 'delete', object: 'merged backups', names: 'none' },
      },
      never: ['forget', 'prune', 'key remove', 'repair *'],
      work: ['restore --delete', 'merge --delete'],
      valued: 'r P use-profile',
      trials: 'n',
    },
  },
  autorestic: {
    does: {
      kind: 'delete',
      object: 'old backups',
      names: 'none',
      never: ['forget --prune', 'forget', 'exec forget|prune', 'uninstall'],
      trials: 'n',
    },
  },
  resticprofile: {
    does: {
      kind: 'delete',
      object: 'old backups',
      names: 'none',
      never: ['forget', 'prune', '* forget|prune'],
      valued: 'n c',
    },
  },
  borg2: { abbreviates: true, does: borg },
  borgmatic: {
    abbreviates: true,
    does: {
      kind: 'delete',
      object: 'old backups',
      names: 'none',
      trial: '--dry-run',
      says: {
        'repo-delete': { kind: 'delete', object: 'the repository, with all backups', names: 'none' },
        'break-lock': { kind: 'delete', object: 'the lock of the repository', names: 'none' },
        delete: { kind: 'delete', object: 'backup', names: '--archive' },
      },
      never: ['prune', 'compact', 'repo-delete', 'delete', 'break-lock', '--prune', 'create --prune'],
      valued: 'c',
      trials: 'n',
    },
  },
  velero: {
    does: {
      says: {
        uninstall: { kind: 'delete', object: 'Velero and its records', names: 'none' },
        'schedule pause': { kind: 'stop', object: 'schedule' },
        'restore create': { kind: 'overwrite', object: 'what runs in the cluster', thing: 'data', names: 'none' },
      },
      valued: 'n kubecontext',
      byVerb: 'never',
      never: ['uninstall', 'backup|schedule|restore|backup-location|snapshot-location|repo delete', 'delete'],
      work: ['schedule pause', 'restore create'],
      harmless: ['client config unset'],
    },
    looks: {
      options: 'n namespace kubeconfig kubecontext',
      lines: `
      backup|restore|schedule|backup-location|snapshot-location|plugin get|describe|logs
      get *
      version`,
    },
  },
  duplicity: {
    does: {
      kind: 'delete',
      object: 'old backups at',
      names: 'last',
      trial: '--dry-run',
      says: {
        restore: { kind: 'overwrite', object: 'files of this machine', thing: 'data', names: 'none' },
        replicate: { kind: 'overwrite', object: 'backups at', names: 'last' },
      },
      never: [
        'remove-older-than --force',
        'remove-all-but-n-full --force',
        'remove-all-inc-of-but-n-full --force',
        'cleanup --force',
      ],
      work: [
        'remove-older-than',
        'remove-all-but-n-full',
        'remove-all-inc-of-but-n-full',
        'cleanup',
        'replicate',
        'restore --force',
      ],
    },
  },
  'duplicati duplicati-cli': {
    does: {
      kind: 'delete',
      object: 'backups at',
      names: 'first',
      says: {
        'repair|compact': { kind: 'change', object: 'backups at', names: 'first' },
      },
      never: ['delete|delete-filter|purge|purge-broken-files'],
      work: ['repair', 'compact'],
    },
  },
  duplicacy: {
    does: {
      kind: 'delete',
      object: 'old backups',
      names: 'none',
      says: {
        restore: { kind: 'overwrite', object: 'files of this machine', thing: 'data', names: 'none' },
      },
      never: ['prune'],
      work: ['restore --delete'],
      oneDash: true,
    },
  },
  duply: {
    does: {
      kind: 'delete',
      object: 'old backups of',
      names: 'before',
      never: ['* purge|purgefull|purgeincr|purgeauto|cleanup --force'],
    },
  },
  kopia: {
    does: {
      says: {
        'snapshot expire': { kind: 'delete', object: 'old backups', names: 'none' },
        'snapshot fix': { kind: 'overwrite', object: 'backups', names: 'none' },
        'content|blob|manifest|index': { kind: 'delete', object: 'parts of the repository', names: 'none' },
        maintenance: { kind: 'delete', object: 'unused parts of the repository', names: 'none' },
        'repository change-password': {
          kind: 'change',
          object: 'the password of the repository',
          thing: 'secret',
          names: 'none',
        },
        repository: { kind: 'change', object: 'the settings of the repository', names: 'none' },
        cache: { kind: 'delete', object: 'local caches', names: 'none' },
        'snapshot delete': { kind: 'delete', object: 'backup' },
        'snapshot migrate': { kind: 'change', object: 'backups', names: 'none' },
      },
      never: [
        'snapshot delete|expire --delete',
        'content|blob|manifest|index delete|rm|remove|prune',
        'policy delete|remove|rm',
        'maintenance run --full|--safety=none',
        'server user delete',
        'snapshot fix *',
        'snapshot delete',
        'users delete',
        'acl delete',
        'server acl delete',
      ],
      work: [
        'snapshot expire',
        'repository set-parameters',
        'repository change-password',
        'cache clear',
        'maintenance run',
        'snapshot migrate',
      ],
    },
  },
  tarsnap: {
    does: {
      kind: 'change',
      object: 'the repository',
      names: 'none',
      says: {
        '--nuke': { kind: 'delete', object: 'every backup', names: 'none' },
        '-d': { kind: 'delete', object: 'backup', names: '-f' },
        '--fsck-prune': { kind: 'delete', object: 'broken backups', names: 'none' },
      },
      never: ['-d|--nuke', '--fsck-prune'],
      work: ['--fsck'],
      valued: 'f C keyfile cachedir',
    },
  },
  'rdiff-backup': {
    does: {
      says: {
        '--remove-older-than': { kind: 'delete', object: 'old backups at', names: 'last' },
        remove: { kind: 'delete', object: 'old backups at', names: 'last' },
        regress: { kind: 'rollback', object: 'backups at', names: 'last' },
        '*': { kind: 'overwrite', thing: 'data', object: 'what is at', names: 'last' },
      },
      never: ['remove', '--remove-older-than'],
      work: ['regress', 'restore --force', '--force'],
    },
  },
  bup: {
    does: {
      says: {
        rm: { kind: 'delete', object: 'backup' },
        'gc|prune-older': { kind: 'delete', object: 'old backups', names: 'none' },
      },
      never: ['rm', 'gc', 'prune-older'],
    },
  },
  attic: {
    does: {
      says: { delete: { object: 'backup' }, prune: { object: 'old backups', names: 'none' } },
      never: ['delete', 'prune'],
    },
  },
  zbackup: { does: { kind: 'delete', object: 'unused parts of the repository', names: 'none', never: ['gc'] } },
  timeshift: {
    does: {
      kind: 'delete',
      object: 'snapshot',
      names: '--snapshot',
      says: {
        '--restore': { kind: 'overwrite', object: 'this system with a snapshot', thing: 'machine' },
        '--delete-all': { kind: 'delete', object: 'all snapshots' },
      },
      never: ['--delete|--delete-all'],
      work: ['--restore'],
    },
  },
  snapper: {
    does: {
      object: 'snapshot',
      says: {
        'delete-config': { kind: 'delete', object: 'the settings of snapshots', names: 'none' },
        cleanup: { kind: 'delete', object: 'old snapshots', names: 'none' },
        'undochange|rollback': { kind: 'rollback', object: 'files of this machine', thing: 'data', names: 'none' },
        modify: { kind: 'change', object: 'snapshot' },
      },
      never: ['delete', 'delete-config', 'cleanup'],
      work: ['undochange', 'rollback', 'modify'],
      valued: 'c',
    },
  },
  btrbk: {
    does: {
      kind: 'delete',
      object: 'old snapshots',
      names: 'none',
      trial: '-n',
      says: {
        run: { kind: 'create', object: 'snapshots, deleting old ones' },
      },
      never: ['prune', 'clean'],
      work: ['run'],
      trials: 'n',
    },
  },
  'proxmox-backup-client': {
    does: {
      says: {
        'snapshot forget': { object: 'backup' },
        forget: { object: 'backup' },
        'group forget': { kind: 'delete', object: 'all backups of' },
        prune: { object: 'old backups of', trial: '--dry-run' },
      },
      never: ['snapshot forget', 'forget', 'key remove', 'group forget', 'namespace delete', 'prune'],
      trials: 'dry-run',
    },
  },
  'proxmox-backup-manager': { does: { byVerb: 'never', work: ['garbage-collection start', 'prune-jobs'] } },
  vzdump: { does: { kind: 'delete', object: 'old backups', names: 'none', work: ['--remove', '--prune-backups'] } },
  'bacula rubrik': { does: { byVerb: 'never' } },
  bconsole: { does: { kind: 'change', object: 'the backups of the server', names: 'none', work: [''] } },
  nsrmm: { does: { kind: 'delete', object: 'backups', names: 'none', never: ['-d'] } },
  dsmc: {
    does: {
      says: {
        'delete|expire': { kind: 'delete', object: 'backups of', names: 'last' },
      },
      never: ['delete *', 'expire'],
      valued: 'se',
      oneDash: true,
    },
  },
  dsmadmc: { does: { kind: 'change', object: 'the backup server', names: 'none', work: [''] } },
  bpexpdate: { does: { kind: 'delete', object: 'backup', names: 'none', never: [''] } },
  veeamconfig: { does: { byVerb: 'never', work: ['job disable'] } },
  diskshadow: { does: { kind: 'change', object: 'shadow copies', names: 'none', work: [''] } },
}

export const backups: Family = {
  area: 'backups',
  programs,
  examples: {
    'restic forget --keep-last 3 --prune': 'deletes old backups, perhaps the only copy, for good',
    'restic forget --keep-last 3 --dry-run': '',
    'restic key remove abc': 'deletes key `abc`, which programs may need, for good',
    'restic snapshots': '',
    'borg delete /mnt/repo::monday': 'deletes backup `/mnt/repo::monday`, perhaps the only copy, for good',
    'borg prune --keep-daily 7 /mnt/repo': 'deletes old backups, perhaps the only copy, for good',
    'borg compact': 'deletes the remains of deleted archives, for good',
    'borg rdelete --repo /mnt/repo': 'deletes the repository, with all backups, perhaps the only copy, for good',
    'velero backup delete nightly --confirm': 'deletes backup `nightly`, perhaps the only copy, for good',
    'velero schedule pause nightly': 'stops schedule `nightly`',
    'duplicity remove-older-than 1Y --force s3://shop':
      'deletes old backups at `s3://shop`, perhaps the only copy, for good',
    'kopia snapshot delete abc --delete': 'deletes backup `abc`, perhaps the only copy, for good',
    'kopia maintenance run --full': 'deletes unused parts of the repository, for good',
    'tarsnap -d -f monday': 'deletes backup `monday`, perhaps the only copy, for good',
    'timeshift --delete --snapshot monday': 'deletes snapshot `monday`, perhaps the only copy, for good',
    'snapper -c root delete 12': 'deletes snapshot `12`, perhaps the only copy, for good',
    'rdiff-backup --remove-older-than 1Y /mnt/repo':
      'deletes old backups at `/mnt/repo`, perhaps the only copy, for good',
    'proxmox-backup-client forget vm/100': 'deletes backup `vm/100`, perhaps the only copy, for good',
    'duplicati delete s3://shop': 'deletes backups at `s3://shop`, perhaps the only copy, for good',
    'rustic prune': 'deletes old backups, perhaps the only copy, for good',
    'duplicacy prune': 'deletes old backups, perhaps the only copy, for good',
    'borgmatic prune': 'deletes old backups, perhaps the only copy, for good',
  },
}
