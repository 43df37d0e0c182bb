import { type NamedHost, namedHosts } from '../values/address'
import { tableOption } from './table-option'

/** What members have sent to other hosts (D86). */
export const outgoing = {
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
}
