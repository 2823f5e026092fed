import { describe, expect, it } from 'vitest'
import { callsIn } from '../../../src/words/calls.ts'
import { lineIn, type LineRules } from '../../../src/words/loose-line.ts'
import { isTrial, likeness, destroyingWords, type VerbRules } from '../../../src/facts/programs/deeds/pattern.ts'
import { factsOf } from '../../support/shell-facts.ts'

/** Returns the command line of the last program that a command starts. */
function lineOf(command: string, rules: LineRules = {}) {
  const call = callsIn(factsOf(command)).at(-1)
  if (call === undefined) throw new Error(`it starts nothing: ${command}`)
  return lineIn(call, rules)
}
const programsOf = (command: string) => callsIn(factsOf(command)).map(({ program }) => program)

describe('subcommands', () => {
  it('are found behind options, with and without values', () => {
    expect(likeness('kv delete', lineOf('vault kv delete a'))).toBe('yes')
    expect(likeness('kv delete', lineOf('vault --namespace a kv delete a'))).toBe('yes')
    expect(likeness('kv delete', lineOf('vault --unheard-of a kv delete a'))).toBe('yes')
    expect(likeness('kv delete', lineOf('vault --unheard-of kv delete a'))).toBe('yes')
    expect(likeness('kv delete', lineOf('vault -n a kv delete a', { valued: 'n' }))).toBe('yes')
  })

  it('are not values of options, or words after other subcommands or a --', () => {
    expect(likeness('delete', lineOf('kubectl -n delete get pods', { valued: 'n' }))).toBe('no')
    expect(likeness('delete', lineOf('kubectl --namespace delete get pods'))).toBe('no')
    expect(likeness('delete', lineOf('kubectl --namespace=delete get pods'))).toBe('no')
    expect(likeness('delete', lineOf('kubectl get delete'))).toBe('no')
    expect(likeness('delete', lineOf('kubectl -- delete'))).toBe('no')
  })

  it('that are unknown may be any, unless what follows only reads', () => {
    expect(likeness('delete', lineOf('kubectl $VERB pods'))).toBe('maybe')
    expect(likeness('delete', lineOf('kubectl $FLAGS get pods'))).toBe('no')
    expect(likeness('delete', lineOf('kubectl get $WHAT'))).toBe('no')
  })
})

describe('dangerous options', () => {
  it('are found alone, joined, and with values', () => {
    expect(likeness('rm --force|-f', lineOf('docker rm -vf a'))).toBe('yes')
    expect(likeness('rm --force|-f', lineOf('docker rm a --force'))).toBe('yes')
    expect(likeness('rm --force|-f', lineOf('docker rm a'))).toBe('no')
    expect(likeness('rm --force|-f', lineOf('docker rm --force=false a'))).toBe('no')
    expect(likeness('scale --replicas=0', lineOf('kubectl scale a --replicas 0'))).toBe('yes')
    expect(likeness('scale --replicas=0', lineOf('kubectl scale a --replicas=03'))).toBe('no')
    expect(likeness('stop !--keep', lineOf('supabase stop --keep'))).toBe('no')
  })

  it('are as the facts read them, where those know the options of the subcommand', () => {
    expect(likeness('delete', lineOf('kubectl --as delete get pods'))).toBe('no')
    expect(likeness('delete pods', lineOf('kubectl --as me delete --field-selector a=b pods'))).toBe('yes')
    expect(likeness('scale --replicas=0', lineOf('kubectl scale --timeout 5s deploy/x --replicas 0'))).toBe('yes')
    expect(likeness('exec * ls', lineOf('kubectl exec web -- ls'))).toBe('no')
    expect(likeness('compose rm --volumes|-v', lineOf('docker -c a compose -p b rm -sfv'))).toBe('yes')
    expect(likeness('compose down --volumes|-v', lineOf('docker compose down $X'))).toBe('maybe')
    expect(likeness('rm --force|-f', lineOf('docker -D compose rm -f web'))).toBe('no')
    expect(likeness('argo * terminate', lineOf('kubectl argo --unheard-of x terminate'))).toBe('yes')
  })

  it('may be hidden in an unknown word', () => {
    expect(likeness('rm --force|-f', lineOf('docker rm $(docker ps -q)'))).toBe('maybe')
  })
})

describe('a dry run', () => {
  it('is recognized by its option, and not by the value of another or by a file', () => {
    expect(isTrial(lineOf('aws s3 rb s3://a --help'), 'help dry-run')).toBe('yes')
    expect(isTrial(lineOf('aws s3 rb s3://a --dry-run=false'), 'help dry-run')).toBe('no')
    expect(isTrial(lineOf('aws s3 rb s3://a > --help'), 'help dry-run')).toBe('no')
    expect(isTrial(lineOf('aws s3 rb s3://a --note=--help'), 'help dry-run')).toBe('no')
    expect(isTrial(lineOf('aws s3 rb s3://a --note --help'), 'help dry-run')).toBe('maybe')
  })
})

describe('the first verb', () => {
  const verbOf = (command: string, rules: VerbRules = {}) => destroyingWords(lineOf(command), rules)

  it('is the only one: names behind it are not verbs', () => {
    expect(verbOf('gcloud compute instances delete a')).toBe('compute instances delete')
    expect(verbOf('gcloud compute instances describe delete')).toBeUndefined()
    expect(verbOf('gcloud --unheard-of delete instances list')).toBeUndefined()
    expect(verbOf('heroku apps:destroy a')).toBe('apps:destroy')
    expect(verbOf('gcloud projects remove-iam-policy-binding a')).toBe('projects remove-iam-policy-binding')
    expect(verbOf('gcloud deploy releases delete a', { groupFirst: true })).toBe('deploy releases delete')
    expect(verbOf('gcloud logging logs delete a', { nouns: 'logs' })).toBe('logging logs delete')
  })
})

describe('programs', () => {
  it('are recognized behind scripts, archives, packages and modules that start them', () => {
    expect(programsOf('/opt/kafka/bin/kafka-topics.sh --list')).toEqual(['kafka-topics'])
    expect(programsOf('java -Xmx1g -jar /opt/jenkins-cli-2.4.jar list-jobs')).toContain('jenkins-cli')
    expect(programsOf('java -cp a.jar Main -jar jenkins-cli.jar')).toEqual(['java'])
    expect(programsOf('npx -y firebase-tools@latest deploy')).toContain('firebase')
    expect(programsOf('yarn prisma migrate reset')).toContain('prisma')
    expect(programsOf('python3 -m alembic downgrade base')).toContain('alembic')
    expect(programsOf('python3.12 manage.py flush')).toEqual(['python'])
  })

  it('inherit the variables of the command that starts them', () => {
    const call = callsIn(factsOf('RAILS_ENV=staging sudo rails db:migrate')).at(-1)
    expect(call?.environment.map(({ name }) => name)).toEqual(['RAILS_ENV'])
  })
})

describe('the variables that a program gets', () => {
  const stageOf = (command: string) =>
    callsIn(factsOf(command))
      .findLast(({ program }) => program === 'rails')
      ?.environment.filter(({ name }) => name === 'RAILS_ENV')
      .map(({ value }) => value.value)

  it.each([
    'RAILS_ENV=production rails db:drop',
    'export RAILS_ENV=production; rails db:drop',
    'export RAILS_ENV=production && cd app && bundle exec rails db:drop',
    'RAILS_ENV=production; export RAILS_ENV; rails db:drop',
    'export RAILS_ENV; RAILS_ENV=production; rails db:drop',
    'export RAILS_ENV=test; RAILS_ENV=production; rails db:drop',
    'STAGE=production; export RAILS_ENV=$STAGE; rails db:drop',
    'declare -x RAILS_ENV=production; rails db:drop',
    'typeset -gx RAILS_ENV=production; rails db:drop',
    'f() { local -x RAILS_ENV=production; rails db:drop; }; f',
    'f() { rails db:drop; }; RAILS_ENV=production f',
    'use() { export RAILS_ENV=$1; }; use production; rails db:drop',
    'set -a; RAILS_ENV=production; rails db:drop',
    'set -o allexport; RAILS_ENV=production; set +a; rails db:drop',
    'env RAILS_ENV=production sh -c "rails db:drop"',
    'export RAILS_ENV=production; sh -c "rails db:drop"',
    'export RAILS_ENV=production; bash <<< "rails db:drop"',
    '(export RAILS_ENV=production; rails db:drop)',
    'export RAILS_ENV=test; env RAILS_ENV=production rails db:drop',
    'export RAILS_ENV=test; RAILS_ENV=production rails db:drop',
    'RAILS_ENV=test sh -c "export RAILS_ENV=production; rails db:drop"',
    "eval 'export RAILS_ENV=production'; rails db:drop",
    "printf 'export RAILS_ENV=production' > e; . ./e; rails db:drop",
  ])('are also those that were exported before: %s', (command) => {
    expect(stageOf(command)).toEqual(['production'])
  })

  it.each([
    'RAILS_ENV=production; rails db:drop',
    '(export RAILS_ENV=production); rails db:drop',
    'echo "$(export RAILS_ENV=production)"; rails db:drop',
    'bash -c "export RAILS_ENV=production"; rails db:drop',
    'export RAILS_ENV=production; unset RAILS_ENV; rails db:drop',
    'export RAILS_ENV=production; export -n RAILS_ENV; rails db:drop',
    'export RAILS_ENV=production; env -u RAILS_ENV rails db:drop',
    'export RAILS_ENV=production; env -i PATH=/bin rails db:drop',
    'f() { local -x RAILS_ENV=production; }; f; rails db:drop',
    'set -a; set +a; RAILS_ENV=production; rails db:drop',
    'rails db:drop; export RAILS_ENV=production',
    'RAILS_ENV=production true; rails db:drop',
  ])('are none of another shell, nor those that are gone: %s', (command) => {
    expect((stageOf(command) ?? []).filter((value) => value !== '')).toEqual([])
  })

  it('have each value that they may have', () => {
    const stages = stageOf('if a; then export RAILS_ENV=test; else export RAILS_ENV=production; fi; rails db:drop')
    expect(stages).toEqual(['test', 'production'])
    expect(stageOf('for s in test production; do export RAILS_ENV=$s; rails db:drop; done')).toContain('production')
  })
})
