import type { Family } from '../program.ts'
import type { ShellCommand } from '../../../model/shell.ts'
import { lineOf } from '../../../words/options.ts'
import { hasWord, written, type Deed, type DeedCondition } from '../deeds/deeds.ts'
import { likeness, type Pattern } from '../deeds/pattern.ts'

/** Matches a drive, or a folder of Windows, of its programs or of its users. */
export const vitalFolder =
  /(?:^|[\s"'])(?:[\\/]\*?|~[\\/]?\*?|[a-z]:(?:[\\/]{0,4}(?:windows|users|program files|programdata|boot|recovery)?[^\s"'\\/]*)?(?:[\\/]{0,4}\*(?:\.\*)?)?|%(?:systemdrive|systemroot|windir|userprofile|programfiles|homepath|homedrive)%\S*|\$env:(?:systemdrive|systemroot|windir|userprofile|programfiles|home)\S*|\$home)[\\/]{0,4}(?=$|[\s"',])/i

/** Folders and files of Windows itself; a shell may have taken the backslashes away. */
export const systemPaths =
  /(?:\b[a-z]:[\\/]*(?:windows|program ?files|system volume)|%(?:systemroot|windir|programfiles)%|\$env:(?:systemroot|windir))/i

const drive = { kind: 'delete', object: 'everything on a drive', names: 'none' } as const
const boot = { kind: 'change', object: 'how this machine boots', names: 'none' } as const
const settings = { kind: 'change', object: 'settings of the system', names: 'none' } as const
const access = { kind: 'change', thing: 'account', names: 'none' } as const
export const accessOfSystem = { ...access, object: 'who can use the files of the system' } as const
const accessOfMany = { ...access, object: 'who can use the files of a folder' } as const
const backup = { thing: 'backup', names: 'none' } as const
const shadowsDeleted = /shadowcopy(?:(?!shadowcopy).)*delete/i

export const deletion = { kind: 'delete', thing: 'data', names: 'none' } as const
const folder = { ...deletion, object: 'folders, with everything in them' } as const
const systemFolder = { ...deletion, object: 'folders of the system' } as const

/** Makes the deeds of deleting: folders of the system; of others, only if an option is known to be given. */
export const inFolders = (option: Pattern): readonly Deed[] => [
  { ...systemFolder, never: [''], when: hasWord(vitalFolder) },
  { ...folder, ...onlyWith(option) },
]
/** An unknown word is rather a name than an option with which much more is deleted. */
const onlyWith = (option: Pattern): Deed => ({
  work: [option],
  when: (_, line) => likeness(option, line) === 'yes',
})

/** True if a deletion gets its files from a recursive listing. */
export const isOfListing: DeedCondition = ({ at }, { words, has }, { commands }) =>
  words.length === 0 && !has('recurse') && [commands[at - 1], commands[at - 2]].some(listsDeep)
const listsDeep = (command: ShellCommand | undefined) =>
  command !== undefined &&
  /^(?:get-childitem|gci)$/.test(command.program) &&
  lineOf(command)?.given.some(({ name }) => /^(?:r|recurse|s)$/.test(name)) === true

const programs: Family['programs'] = {
  rmdir: {
    saysWhatChanges: true,
    options: '+parents +ignore-fail-on-non-empty +verbose',
    operands: 'delete',
    silent: true,
    ignoresStdin: true,
    saysWhatStarts: true,
    does: { windows: 'slashes', also: inFolders('/s') },
    quiet: true,
  },
  rd: { does: { windows: 'slashes', also: inFolders('/s') } },
  deltree: { does: { ...folder, never: [''] } },

  format: { does: { ...drive, windows: 'slashes', never: [''], when: hasWord(/^[a-z]:/i) } },
  cipher: {
    does: { ...drive, windows: 'slashes', object: 'what is left of deleted files on a drive', never: ['/w'] },
  },
  'diskpart format-volume clear-disk initialize-disk remove-partition reset-physicaldisk remove-virtualdisk': {
    does: {
      ...drive,
      never: [''],
    },
  },
  vssadmin: {
    does: { ...backup, windows: 'slashes', kind: 'delete', object: 'shadow copies', never: ['delete|resize'] },
  },
  wbadmin: {
    does: {
      ...backup,
      says: {
        'disable|stop': { kind: 'stop', object: 'the backups of this machine' },
        start: { kind: 'overwrite', object: 'this machine with a backup' },
      },
      kind: 'delete',
      object: 'backups',
      never: ['delete *', 'disable backup'],
      work: ['stop job', 'start *recovery'],
    },
  },
  // Its words stand around clauses of any length, which no pattern has: `wmic PATH where CLAUSE delete`.
  wmic: {
    endsProcesses: true,
    chooses: {
      operands: 'condition',
      when: /^(?=.*\b(?:win32_)?process\b).*\b(?:delete|terminate)\b/i,
    },
    does: {
      also: [
        { ...backup, kind: 'delete', object: 'shadow copies', never: [''], when: written(shadowsDeleted) },
        { ...drive, never: [''], when: written(/^(?=.*logicaldisk).*format/i) },
        {
          ...access,
          object: 'users of this machine',
          never: [''],
          when: written(/^(?=.*useraccount).*(?:delete|rename)/i),
        },
        { ...settings, object: 'what runs on this machine', work: [''], when: written(/\b(?:delete|call)\b/i) },
      ],
    },
  },
  reg: {
    does: [
      { area: 'containers', kind: 'delete', object: 'image', thing: 'package', never: ['rm'] },
      {
        windows: 'slashes',
        valued: 'v t d',
        also: [
          {
            ...settings,
            kind: 'delete',
            never: ['delete'],
            when: hasWord(/hklm|hkey_local_machine|hkcr|hkcu\\software$/i),
          },
          { ...settings, work: ['delete|import|unload'] },
        ],
      },
    ],
  },
  // Without its entry for it, a machine is not restored.
  bcdedit: {
    does: { ...boot, windows: 'slashes', thing: 'backup', never: ['/delete|/set|/deletevalue|/import'] },
  },
  'bootrec bcdboot': { does: { ...boot, windows: 'slashes', never: ['/fixmbr|/rebuildbcd|/clean|/fixboot'] } },
  fsutil: {
    effects({ operands: [what, verb, file] }, recorder) {
      if (/^file$/i.test(what?.value ?? '') && /^createnew$/i.test(verb?.value ?? '')) recorder.touch(file, 'write')
    },
    fillsSize: true,
    does: {
      kind: 'change',
      object: 'how a drive keeps its files',
      names: 'none',
      windows: 'slashes',
      never: ['usn delete*', 'file setzerodata|setvaliddata', 'volume dismount'],
    },
  },

  'remove-itemproperty clear-item': { does: { ...settings, work: [''] } },

  'clear-recyclebin': { does: { kind: 'delete', object: 'everything in the trash', names: 'none', never: [''] } },
  'disable-computerrestore': {
    does: { kind: 'stop', object: 'the restoring of this machine', names: 'none', never: [''] },
  },
  'remove-localuser': { does: { kind: 'delete', object: 'user', thing: 'account', never: [''] } },
  takeown: {
    does: {
      windows: 'slashes',
      valued: 'f s u p d',
      also: [
        { ...accessOfSystem, never: [''], when: hasWord(systemPaths) },
        { ...accessOfMany, never: ['/r'] },
      ],
    },
  },
  'icacls cacls': {
    does: {
      windows: 'slashes',
      also: [
        {
          ...accessOfSystem,
          never: ['/g|/p|/grant|/reset|/setowner|/deny|/remove|/inheritance|/restore'],
          when: hasWord(systemPaths),
        },
        { ...accessOfMany, never: ['/t /reset|/grant'] },
      ],
    },
  },

  schtasks: {
    does: {
      ...settings,
      object: 'what runs later on this machine',
      windows: 'slashes',
      valued: 'tn tr sc st',
      work: ['/delete|/create|/change'],
    },
  },
  'set-executionpolicy': {
    does: {
      kind: 'weaken',
      thing: 'guard',
      object: 'what keeps scripts from being run',
      names: 'none',
      windows: 'parameters',
      valued: 'executionpolicy scope',
      flags: 'force',
      work: [''],
      when: (call, line, shell) =>
        hasWord(/^(?:bypass|unrestricted)$/i)(call, line, shell) && hasWord(/^localmachine$/i)(call, line, shell),
    },
  },
}

/** Programs and cmdlets that only Windows has. Programs that other systems have too are in other families. */
export const windows: Family = {
  area: 'windows',

  programs,
  examples: {
    'format C: /q': 'deletes everything on a drive, for good',
    'vssadmin delete shadows /all': 'deletes all shadow copies, perhaps the only copy, for good',
    'vssadmin list shadows': '',
    'wbadmin delete catalog': 'deletes backups, perhaps the only copy, for good',
    'bcdedit /set safeboot minimal': 'changes how this machine boots',
    'bcdedit /enum': '',
    'reg delete HKLM\\\\Software\\\\A /f': 'deletes settings of the system, for good; changes settings of the system',
    'schtasks /query': '',
    'takeown /f build /r': 'changes who can use the files of a folder',
    'takeown /f build': '',
    'rd /s build': 'deletes folders, with everything in them',
    'icacls build /reset /t': 'changes who can use the files of a folder',
    'schtasks /delete /tn backup': 'changes what runs later on this machine',
    'net user bob /delete': 'deletes user `bob`',
    'netsh advfirewall reset': 'weakens the firewall of this machine',
    'remove-item old -recurse -force': 'deletes folders, with everything in them',
    'remove-item old -recurse:0': '',
    'set-mppreference -exclusionpath build': 'weakens the virus scanner',
    'set-executionpolicy bypass -scope localmachine': 'weakens what keeps scripts from being run',
  },
}
