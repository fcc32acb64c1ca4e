import { describeFuzz } from '../../suites/fuzz.suite';

// test/endurance/requests/fuzz.spec.ts sends more.
describeFuzz(1);
