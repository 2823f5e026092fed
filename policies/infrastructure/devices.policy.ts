import { abstains, asks, definePolicy } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'devices',
  severity: 'high',
  description: 'Asks before phones, boards and servers are erased, unlocked, switched off or given other firmware',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['devices', 'disks'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'devices', given),
  examples: [
    asks('esptool.py --port /dev/ttyUSB0 erase_flash'),
    abstains('esptool.py --port /dev/ttyUSB0 write_flash 0x0 fw.bin'),
    asks('espefuse.py --port /dev/ttyUSB0 burn_efuse JTAG_DISABLE'),
    abstains('espefuse.py --port /dev/ttyUSB0 summary'),
    asks('fastboot flashing unlock'),
    abstains('fastboot devices'),
    asks('avrdude -p m328p -c usbasp -U lfuse:w:0x00:m'),
    abstains('avrdude -p m328p -c usbasp -U flash:w:fw.hex:i'),
    asks('openocd -f b.cfg -c "init; flash erase_sector 0 0 last; exit"'),
    abstains('openocd -f b.cfg -c "program fw.elf verify reset exit"'),
    asks('xcrun simctl erase all'),
    abstains('xcrun simctl list devices'),
    asks('ipmitool -H bmc.example -U admin chassis power off'),
    abstains('ipmitool -H bmc.example chassis status'),
    allowed('fastboot -w', 'fastboot'),
    answered('fastboot -w', 'deny'),
  ],
})
