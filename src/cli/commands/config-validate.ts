import { exitCodes, Failure } from '../../lib/failure'
import { type Command, json } from '../command'
import type { Survey } from '../settings/survey'

export const configValidate: Command = {
  name: 'config validate',
  summary: 'Reports every problem in the settings at once. Starts nothing.',
  operands: [],
  options: [json],
  examples: ['kiroku config validate', 'kiroku config validate --config /etc/kiroku.toml --json'],
  run: async (call) => {
    const survey = call.survey()
    const { problems, warnings, exitCode } = survey
    if (call.get(json)) await call.print(JSON.stringify({ problems, warnings }, null, 2))
    else await call.print(formatted(survey).join('\n'))
    if (exitCode !== 0) throw invalidSettings(survey)
  },
}

const formatted = ({ problems, warnings }: Survey): readonly string[] => [
  ...problems.map((problem) => `problem  ${problem}`),
  ...warnings.map((warning) => `warning  ${warning}`),
  ...(problems.length === 0 ? ['the settings are valid'] : []),
]

export function invalidSettings({ problems, exitCode }: Survey, advice?: string): Failure {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  const kind = exitCode === exitCodes.usage ? 'usage' : 'config'
  return new Failure(kind, [`${count} in the settings`, advice].filter(Boolean).join('; '))
}
