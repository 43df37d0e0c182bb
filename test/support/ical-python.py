"""Prints what python3-icalendar reads of a calendar on standard input, as JSON."""
import json
import sys

from icalendar import Calendar

calendar = Calendar.from_ical(sys.stdin.buffer.read())
print(json.dumps([
    {
        'uid': str(event['UID']),
        'summary': str(event['SUMMARY']),
        'sequence': int(event['SEQUENCE']),
        'status': str(event['STATUS']),
        'start': event['DTSTART'].dt.isoformat(),
        'location': str(event.get('LOCATION', '')),
        'alarms': [str(alarm['TRIGGER'].to_ical().decode()) for alarm in event.subcomponents],
        'errors': [list(error) for error in event.errors],
    }
    for event in calendar.walk('VEVENT')
]))
