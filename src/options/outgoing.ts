import { baseUrl, mayHoldUser, type NamedHost, namedHosts } from '../values/address'
import { trueOrFalse } from '../values/text'
import { tableOption } from './table-option'

/** What members have fetched from and sent to other hosts (D86). */
export const outgoing = {
  annictUrl: tableOption({
    name: 'annict-url',
    type: 'URL',
    defaultText: 'https://api.annict.com',
    defaultValue: 'https://api.annict.com',
    sentence: 'The Annict API that members’ lists are imported from.',
    commands: ['serve'],
    isSecret: mayHoldUser,
    value: baseUrl,
  }),
  outgoingAllow: tableOption<readonly NamedHost[]>({
    name: 'outgoing-allow',
    type: 'HOST[:PORT],…',
    defaultText: 'none',
    defaultValue: [],
    sentence:
      'Hosts that members’ notifications may be sent to although they are private, by http or on another port, such as one’s own ntfy.',
    commands: ['serve'],
    value: namedHosts,
  }),
  webPush: tableOption({
    name: 'web-push',
    type: '',
    defaultText: '',
    defaultValue: false,
    sentence:
      'Lets members have notifications shown by their browsers, through the servers of the browsers’ makers; needs https.',
    commands: ['serve'],
    value: trueOrFalse,
  }),
}
