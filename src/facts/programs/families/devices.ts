import { liveByVerbs, type Deeds } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import { host } from './network.ts'

const esptool: Deeds = {
  kind: 'delete',
  object: 'the flash memory of the device',
  names: 'none',
  valued: 'p b baud chip c',
  work: ['erase_flash|erase-flash|erase_region|erase-region'],
}

const espefuse: Deeds = {
  kind: 'change',
  object: 'fuses of the device, which can be set only once',
  names: 'none',
  valued: 'p b baud chip c',
  work: ['burn_*|burn-*|write_protect_efuse|set_flash_voltage'],
}

const stm32: Deeds = {
  kind: 'delete',
  object: 'the flash memory of the device',
  names: 'none',
  valued: 'c',
  oneDash: true,
  work: ['-e|-rdu|-ob|--erase|--readunprotect'],
}

const order: Deeds = { kind: 'change', object: 'what a device does', names: 'none', hIsNoHelp: true }

const programs: Family['programs'] = {
  esptool: { options: 'r=write w=read v=read p c U', saysWhatStarts: true, does: esptool },
  espefuse: { does: espefuse },
  'st-flash': { does: { kind: 'delete', object: 'the flash memory of the device', names: 'none', work: ['erase'] } },
  stm32_programmer_cli: { does: stm32 },
  nrfjprog: {
    does: {
      kind: 'delete',
      object: 'the flash memory of the device',
      names: 'none',
      valued: 'f s',
      work: ['--eraseall|-e|--recover|--eraseuicr'],
    },
  },
  nrfutil: {
    does: { kind: 'delete', object: 'the flash memory of the device', names: 'none', work: ['device recover|erase'] },
  },
  pyocd: {
    does: {
      kind: 'delete',
      object: 'the flash memory of the device',
      names: 'none',
      valued: 't u',
      work: ['erase --chip|--mass|-c', 'commander -c~unlock'],
    },
  },
  openocd: {
    does: {
      kind: 'delete',
      object: 'the flash memory of the device',
      names: 'none',
      valued: 'f c s',
      work: ['-c~erase_sector', '-c~mass_erase', '-c~erase_address', '-c~unlock'],
    },
  },
  avrdude: {
    options: 'r=write w=read v=read p c U',
    saysWhatStarts: true,
    does: {
      kind: 'change',
      object: 'fuses of the device',
      names: 'none',
      says: {
        '-e': { kind: 'delete', object: 'the flash memory of the device' },
      },
      valued: 'P b',
      work: ['-U~lfuse:w', '-U~hfuse:w', '-U~efuse:w', '-U~lock:w', '-e'],
    },
  },
  'dfu-util': {
    does: {
      kind: 'delete',
      object: 'the flash memory of the device',
      names: 'none',
      valued: 'a s D d',
      work: ['-s~mass-erase', '-s~unprotect'],
    },
  },
  picotool: {
    does: {
      kind: 'delete',
      object: 'the flash memory of the device',
      names: 'none',
      says: {
        otp: { kind: 'change', object: 'memory of the device that can be set only once', names: 'none' },
      },
      work: ['erase', 'otp set|load|permissions'],
    },
  },
  fwupdmgr: {
    does: {
      kind: 'overwrite',
      object: 'the firmware of devices',
      names: 'none',
      says: {
        unlock: { kind: 'weaken', object: 'the lock of the device', names: 'none' },
      },
      work: ['install|update|upgrade|downgrade|reinstall|unlock'],
    },
  },
  fastboot: {
    options: 'r=write w=read v=read p c U',
    saysWhatStarts: true,
    does: {
      kind: 'delete',
      object: 'all user data of the device',
      names: 'none',
      says: {
        'flashing lock': { kind: 'change', object: 'the lock of the device', names: 'none' },
        'flashing|oem lock': { kind: 'change', object: 'the lock of the device', names: 'none' },
        'flashing|oem': { kind: 'weaken', object: 'the lock of the device, deleting its data', names: 'none' },
        flashall: { kind: 'overwrite', object: 'the system of the device', names: 'none' },
        'erase|format': { kind: 'delete', object: 'partition of the device', names: 'first' },
        'delete-logical-partition': { kind: 'delete', object: 'partition of the device' },
      },
      valued: 's slot',
      work: [
        '-w',
        'erase|format',
        'flashing unlock|unlock_critical|lock',
        'oem unlock|lock',
        'flashall',
        'delete-logical-partition',
      ],
    },
  },
  adb: {
    options: 's t H P L',
    subcommands: { shell: { options: 'e', starts: { joined: true, elsewhere: true, doesMore: true } } },
    does: [
      {
        kind: 'delete',
        object: 'all user data of the device',
        names: 'none',
        says: {
          'shell pm': { kind: 'delete', object: 'app of the device', names: 'last' },
          sideload: { kind: 'overwrite', object: 'the system of the device', names: 'none' },
        },
        work: ['shell recovery|wipe', 'shell pm uninstall --user=0', 'shell am broadcast --a~master_clear', 'sideload'],
      },
      liveByVerbs('publish', 'deploy'),
    ],
    looks: { options: 's', lines: 'devices|version|get-state|get-serialno' },
  },
  recovery: {
    does: {
      kind: 'delete',
      object: 'all user data of the device',
      names: 'none',
      work: ['--wipe_data', '--wipe_cache'],
    },
  },
  pm: { does: { kind: 'delete', object: 'app of the device', names: 'last', work: ['uninstall --user=0'] } },
  simctl: {
    does: { kind: 'delete', object: 'everything in all simulators', names: 'none', work: ['erase all', 'delete all'] },
    looks: 'list',
  },
  idevicerestore: {
    does: {
      kind: 'delete',
      object: 'everything on the device',
      names: 'none',
      work: ['--erase|-e', '--latest|-l'],
    },
  },

  // What is told to a thing that moves, locks or switches.
  mosquitto_pub: {
    options: 'h host p t topic m message f=read file=read u P cafile=key cert=key key=key',
    network: (line) => ({ kind: 'stream', direction: 'send', ...host(line.value('h', 'host')) }),
    does: { ...order, work: ['-t~/set', '-t~/cmd', '-t~/command', '-t~cmnd/', '-t~/action'] },
  },
  'hass-cli': { does: { ...order, work: ['service call', 'entity edit', 'state edit|delete', 'raw post'] } },
  'ros2 ros': { does: { ...order, work: ['topic pub', 'service call', 'action send_goal', 'param set|delete'] } },
  'rostopic rosservice': { does: { ...order, work: ['pub', 'call'] } },
  'cansend cangen canplayer': { does: { ...order, work: ['*'] } },
  'gpioset i2cset kasa': {
    does: { ...order, valued: 'host alias', work: ['*'], harmless: ['discover|state|sysinfo'] },
  },
  snmpset: { does: { ...order, object: 'the settings of another device', valued: 'v c u l a A x X', work: ['* *'] } },

  ipmitool: {
    does: {
      says: {
        chassis: { kind: 'stop', object: 'the machine at the other end', names: 'none' },
        power: { kind: 'stop', object: 'the machine at the other end', names: 'none' },
        sel: { kind: 'delete', object: 'the event log of the machine', thing: 'record', names: 'none' },
        mc: { kind: 'restart', object: 'the controller of the machine', names: 'none' },
        user: { kind: 'change', object: 'user of the controller', thing: 'account', names: 'none' },
      },
      valued: 'H U P I L f',
      hIsNoHelp: true,
      work: [
        'chassis power off|cycle|reset|soft',
        'power off|cycle|reset|soft',
        'sel clear',
        'mc reset',
        'user set|disable',
      ],
    },
  },
  racadm: {
    does: {
      kind: 'delete',
      object: 'everything on the machine at the other end',
      names: 'none',
      says: {
        serveraction: { kind: 'stop', object: 'the machine at the other end', names: 'none' },
        racresetcfg: { kind: 'overwrite', object: 'the settings of the controller', names: 'none' },
      },
      valued: 'r u p',
      work: ['serveraction powerdown|powercycle|hardreset', 'racresetcfg', 'systemerase'],
    },
  },
}

export const devices: Family = {
  area: 'devices',

  programs,
  examples: {
    'esptool.py --port /dev/ttyUSB0 erase_flash': 'deletes the flash memory of the device',
    'espefuse.py --port /dev/ttyUSB0 burn_efuse JTAG_DISABLE':
      'changes fuses of the device, which can be set only once',
    'esptool.py --port /dev/ttyUSB0 chip_id': '',
    'fastboot flashing unlock': 'weakens the lock of the device, deleting its data',
    'fastboot erase userdata': 'deletes a partition of the device `userdata`',
    'avrdude -p m328p -c usbasp -U lfuse:w:0x00:m': 'changes fuses of the device',
    'openocd -f b.cfg -c "init; flash erase_sector 0 0 last; exit"': 'deletes the flash memory of the device',
    'xcrun simctl erase all': 'deletes everything in all simulators',
    'ipmitool -H bmc.example -U admin chassis power off': 'stops the machine at the other end',
    'adb sideload a.zip': 'overwrites the system of the device',
    'keytool -delete -alias shop -keystore a.jks': 'deletes key `shop`, which programs may need',
    'mosquitto_pub -h hub -t home/door/set -m UNLOCK': 'changes what a device does',
    'mosquitto_pub -h hub -t home/door/state -m open': '',
    'hass-cli service call lock.unlock': 'changes what a device does',
    'ros2 topic list': '',
    'cansend can0 123#DEADBEEF': 'changes what a device does',
    'snmpset -v2c -c private switch1 ifAdminStatus.3 i 2': 'changes the settings of another device',
    'racadm serveraction powerdown': 'stops the machine at the other end',
  },
}
