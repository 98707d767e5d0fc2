from .welcome_customer import welcome_customer

jobs = [welcome_customer]
