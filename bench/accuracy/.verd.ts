import { writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { openPresetJudge } from './judge.ts'
import { readOwnCorpus, readUnseenCorpus, textOf, toRow } from './own.ts'
const judge = openPresetJudge('recommended'); const out: string[] = []
for (const row of [...readOwnCorpus(), ...readUnseenCorpus()]) { const v = await judge.decide(toRow(row)); out.push(`${createHash('sha1').update(textOf(row)).digest('hex').slice(0,10)} ${row.label} ${v.decision} ${v.determining.map((d)=>d.split('/').pop()).join(',')}`) }
writeFileSync(process.argv[2]!, out.join('\n')); await judge.close()
