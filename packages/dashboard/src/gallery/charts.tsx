import { Bars, Card, Columns, Inline, Meter, QrCode, Sparkline, Stack } from '../ui';
import { DAYS, wave } from './samples';

export function Charts() {
  return (
    <Columns shape="aside">
      <Card title="Usage">
        <Bars
          title="Usage by day"
          days={DAYS}
          series={[
            {
              id: 'up',
              label: 'Upload',
              tone: 'upload',
              values: wave(120, 1),
              format: (value) => `${value} MB`,
              total: '1.2 GB · $0.02',
            },
            {
              id: 'down',
              label: 'Download',
              tone: 'download',
              values: wave(900, 2),
              format: (value) => `${value} MB`,
              total: '9.9 GB · $1.18',
            },
            {
              id: 'store',
              label: 'Storage',
              tone: 'storage',
              values: DAYS.map((_, index) => 2000 + index * 40),
              format: (value) => `${value} MB`,
              total: '3.1 GB·month · $0.31',
            },
          ]}
        />
      </Card>
      <Stack>
        <Card title="Install">
          <Stack>
            <QrCode
              label="QR code of the install link"
              value="https://agate.example.com/install/4hK2vQ9sXw7bTnR3mZpL"
            />
            <Inline>
              Downloads <Sparkline label="Downloads in the last 14 days: 40" values={wave(9, 3).slice(0, 14)} /> 12 by 9
              testers
            </Inline>
          </Stack>
        </Card>
        <Card title="Credit">
          <Stack>
            <Meter label="Spent" text="$1.80 of $5.00" value={1.8} max={5} />
            <Meter label="Download" tone="download" text="$1.18" value={1.18} max={5} />
            <Meter label="Storage" tone="storage" text="$0.31" value={0.31} max={5} />
            <Meter label="Cap" text="$96.00 of $100.00" value={96} max={100} high={0.9} />
          </Stack>
        </Card>
      </Stack>
    </Columns>
  );
}
