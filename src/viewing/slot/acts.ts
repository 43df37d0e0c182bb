import { endOwnSlot, setOwnSlot, shiftOwnSlot } from '../../library/acts/slot-acts'
import { slotClock, slotDay, slotEpisode, slotWeekday, slotWeeks } from '../../library/showings/slots'
import { timeZone } from '../../values/time'
import { orBlank } from '../../values/value'
import type { PageRoute } from '../../web/page'
import { defineAct, id } from '../acts/act-route'
import { slotPageWithProblem } from './page'

export const slotActs: readonly PageRoute[] = [
  defineAct({
    path: '/calendar/slot',
    values: {
      work_id: id,
      weekday: slotWeekday,
      time: slotClock,
      time_zone: orBlank(timeZone, undefined),
      first_episode: orBlank(slotEpisode, undefined),
      begins_on: orBlank(slotDay, undefined),
      every_weeks: orBlank(slotWeeks, undefined),
      channel_id: orBlank(id, undefined),
    },
    run: ({ deps, session }, values) =>
      setOwnSlot(deps, session.userId, {
        ...{ workId: values.work_id, weekday: values.weekday, minute: values.time },
        ...{ timeZone: values.time_zone, firstEpisode: values.first_episode, beginsOn: values.begins_on },
        ...{ everyWeeks: values.every_weeks, channelId: values.channel_id },
      }),
    refuse: slotPageWithProblem,
  }),
  defineAct({
    path: '/calendar/slot/shift',
    values: { work_id: id },
    run: ({ deps, session }, { work_id }) => shiftOwnSlot(deps, session.userId, { workId: work_id }),
  }),
  defineAct({
    path: '/calendar/slot/end',
    values: { work_id: id },
    run: ({ deps, session }, { work_id }) => endOwnSlot(deps, session.userId, { workId: work_id }),
  }),
]
