import { readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as hookgate from '../../src/library/index.ts'
import * as policy from '../../src/library/policy.ts'
import * as testing from '../../src/library/testing.ts'

/** Returns the names, types included, in a source file's export lists. */
function exportsIn(file: string): readonly string[] {
  const source = readFileSync(new URL(`../../src/library/${file}`, import.meta.url), 'utf8')
  const listed = [...source.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) => list.split(','))
  const declared = [...source.matchAll(/^export (?:const|(?:async )?function|interface|type) (\w+)/gm)].map(
    ([, name = '']) => name,
  )
  const names = [...listed.map((name) => name.replace(/^\s*(?:type )?(?:\w+ as )?/, '').trim()), ...declared]
  return names.filter((name) => name !== '').toSorted()
}

describe('the exports of the library', () => {
  it('are exactly these values', () => {
    expect(Object.keys(hookgate).toSorted()).toEqual(['HookgateError', 'createGate'])
  })

  it('are exactly these types', () => {
    expect(exportsIn('index.ts')).toMatchInlineSnapshot(`
      [
        "Advice",
        "AgentName",
        "Answer",
        "Answered",
        "Decision",
        "DecisionRecord",
        "Effect",
        "ErrorCode",
        "Evaluation",
        "EventName",
        "Failure",
        "FailureCode",
        "Gate",
        "GateOptions",
        "HookEvent",
        "HookgateError",
        "Json",
        "JsonObject",
        "Obligation",
        "OnFailure",
        "Place",
        "Placement",
        "Rule",
        "RuleSet",
        "Source",
        "ToolKind",
        "Verdict",
        "createGate",
      ]
    `)
  })

  it('have closed unions for decisions, effects and failures', () => {
    expectTypeOf<hookgate.Decision>().toEqualTypeOf<'deny' | 'defer' | 'ask' | 'allow' | 'abstain'>()
    expectTypeOf<hookgate.Effect>().toEqualTypeOf<'deny' | 'defer' | 'ask' | 'allow'>()
    expectTypeOf<hookgate.OnFailure>().toEqualTypeOf<'block' | 'ask' | 'continue'>()
    expectTypeOf<hookgate.Evaluation['kind']>().toEqualTypeOf<'applicable' | 'notApplicable' | 'indeterminate'>()
    expectTypeOf<hookgate.Verdict['decision']>().toEqualTypeOf<hookgate.Decision>()
    expectTypeOf<hookgate.Gate['decide']>().parameter(0).toEqualTypeOf<hookgate.HookEvent>()
    expectTypeOf<hookgate.Gate['decide']>().returns.resolves.toEqualTypeOf<hookgate.Verdict>()
    expectTypeOf<hookgate.GateOptions['placement']>().toEqualTypeOf<'process' | 'caller' | undefined>()
  })
})

describe('the exports of `hookgate/policy`', () => {
  it('are exactly these values', () => {
    const makers = ['allow', 'ask', 'context', 'definePolicy', 'deny', 'notice', 'replaceOutput', 'rewrite', 'stop']
    const examples = ['abstains', 'allows', 'asks', 'denies']
    const states = ['budget', 'count', 'custom', 'label', 'last', 'reused', 'since', 'streak']
    const names = [
      ...makers,
      ...examples,
      ...states,
      'quoted',
      'answerTo',
      'assignmentsOf',
      'callsIn',
      'codeKeeps',
      'codePrintsEnvironment',
      'codeShows',
      'hostOf',
      'impactObject',
      'impactReason',
      'impactText',
      'isInside',
      'isLike',
      'isLoopback',
      'isNearby',
      'isOneOf',
      'isSecretName',
      'isUnchecked',
      'isWithin',
      'leavesPersonOut',
      'lineIn',
      'lineOf',
      'listsVariables',
      'loadsVariables',
      'lookUpsOf',
      'mapOf',
      'namesOneOf',
      'namesTrial',
      'onlyTries',
      'placedName',
      'plainReading',
      'readOptions',
      'requestOf',
      'rootAround',
      'setOf',
      'shownHost',
      'soundsSecret',
      'stateBy',
      'strictest',
      'tableOf',
      'tokensOf',
      'toolWords',
      'typedWords',
      'unknownPart',
      'wayWithin',
    ].toSorted()
    expect(Object.keys(policy).toSorted()).toEqual(names)
  })

  it('are exactly these types', () => {
    expect(exportsIn('policy.ts')).toMatchInlineSnapshot(`
      [
        "AnswerDetails",
        "BudgetState",
        "Call",
        "ChosenBy",
        "ChosenProcess",
        "CodeLanguage",
        "CustomState",
        "DecideInput",
        "EventName",
        "ExampleGiven",
        "ExampleWant",
        "FactDeclaration",
        "GivenOption",
        "HarmDoubt",
        "HiddenSecrets",
        "Impact",
        "ImpactArea",
        "ImpactKind",
        "ImpactPlace",
        "ImpactThing",
        "Json",
        "JsonObject",
        "LineRead",
        "LineRules",
        "LooseLine",
        "MapOf",
        "NetworkKind",
        "OnFailure",
        "OptionLookUps",
        "OptionRules",
        "OptionsRead",
        "ParamDeclaration",
        "PathAccess",
        "PathChange",
        "PathRight",
        "Policy",
        "PolicyAnswer",
        "PolicyEffect",
        "PolicyEvent",
        "PolicyInterest",
        "PolicyTool",
        "Request",
        "ReusedValue",
        "SeenStep",
        "SetOf",
        "Severity",
        "ShellAssignment",
        "ShellBind",
        "ShellCode",
        "ShellCommand",
        "ShellContainer",
        "ShellFacts",
        "ShellFilter",
        "ShellFlow",
        "ShellLine",
        "ShellNetwork",
        "ShellOutput",
        "ShellProcesses",
        "ShellReach",
        "ShellRedirection",
        "ShellSearch",
        "ShellView",
        "ShellWord",
        "Step",
        "StepCondition",
        "StepOutcome",
        "TextChange",
        "ToolKind",
        "TouchedPath",
        "abstains",
        "allow",
        "allows",
        "answerTo",
        "ask",
        "asks",
        "assignmentsOf",
        "budget",
        "callsIn",
        "codeKeeps",
        "codePrintsEnvironment",
        "codeShows",
        "context",
        "count",
        "custom",
        "definePolicy",
        "denies",
        "deny",
        "hostOf",
        "impactObject",
        "impactReason",
        "impactText",
        "isInside",
        "isLike",
        "isLoopback",
        "isNearby",
        "isOneOf",
        "isSecretName",
        "isUnchecked",
        "isWithin",
        "label",
        "last",
        "leavesPersonOut",
        "lineIn",
        "lineOf",
        "listsVariables",
        "loadsVariables",
        "lookUpsOf",
        "mapOf",
        "namesOneOf",
        "namesTrial",
        "notice",
        "onlyTries",
        "placedName",
        "plainReading",
        "quoted",
        "readOptions",
        "replaceOutput",
        "requestOf",
        "reused",
        "rewrite",
        "rootAround",
        "setOf",
        "shownHost",
        "since",
        "soundsSecret",
        "stateBy",
        "stop",
        "streak",
        "strictest",
        "tableOf",
        "tokensOf",
        "toolWords",
        "typedWords",
        "unknownPart",
        "wayWithin",
      ]
    `)
  })

  it('include the types of a policy’s answers, so that its own functions can return them', () => {
    type Decided = ReturnType<policy.Policy['decide']>
    expectTypeOf<policy.PolicyAnswer | readonly policy.PolicyAnswer[]>().toExtend<Decided>()
    expectTypeOf(policy.deny).returns.toEqualTypeOf<policy.PolicyAnswer>()
  })
})

describe('the exports of `hookgate/testing`', () => {
  it('are exactly these values', () => {
    expect(Object.keys(testing).toSorted()).toEqual(['benchPolicies', 'isGood', 'testPolicies', 'totalsOf'])
  })

  it('are exactly these types', () => {
    expect(exportsIn('testing.ts')).toMatchInlineSnapshot(`
      [
        "BenchOptions",
        "BenchReport",
        "Cost",
        "CoverageCount",
        "ExampleReport",
        "FileCoverage",
        "MutantKind",
        "MutationReport",
        "PassCriteria",
        "Place",
        "PolicyCost",
        "PolicyReport",
        "Problem",
        "Spread",
        "Survivor",
        "TestOptions",
        "Totals",
        "UntakenBranch",
        "benchPolicies",
        "isGood",
        "testPolicies",
        "totalsOf",
      ]
    `)
  })
})
